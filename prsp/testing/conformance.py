"""The kit under pytest: inherit, give one fixture, and every check is a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from prsp.backend import Backend
from prsp.testing.catalogue import checks
from prsp.testing.checks import Check
from prsp.testing.verdict import Outcome, judge, stale_names

if TYPE_CHECKING:
    import pytest


class BackendConformance:
    """Every check of the kit as a test of the backend that the fixture ``backend`` gives.

    What the backend declares it cannot do is an expected failure, and a strict one: a declaration that is no longer true fails.
    """

    quick: ClassVar[bool] = False
    """Whether to make only some checks of each group: for an engine that takes about a second an answer."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Called by pytest when it collects the class."""
        if "check" in metafunc.fixturenames:
            metafunc.parametrize("check", checks(quick=self.quick), ids=str)

    def test_conformance(self, backend: Backend, check: Check) -> None:
        """One check of the kit."""
        import pytest

        judged = judge(check, backend)
        if not judged.is_right:
            pytest.fail(f"{check.name}: {check.about}\n{judged.reason}", pytrace=False)
        if judged.outcome is Outcome.FAULT or (judged.outcome is Outcome.GAP and check.name.startswith("gaps/")):
            pytest.xfail(judged.reason)
        if judged.outcome is Outcome.GAP:
            pytest.skip(f"declared beyond it: {judged.reason}")

    def test_declared_faults_name_checks(self, backend: Backend) -> None:
        """No declared fault is of a check that does not exist."""
        assert stale_names(backend) == []
