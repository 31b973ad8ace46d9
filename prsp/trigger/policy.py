"""Report policies: which instants are evaluation instants (SECRET; RSP-QL Definition 23)."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.errors import InputError
from prsp.model.profile import Strategy


@dataclass(frozen=True, slots=True)
class Policy:
    """A conjunction of strategies, bound to all stream windows or to the named ones; ``every`` is the period of P."""

    strategies: frozenset[Strategy]
    every: int | None = None
    bound: frozenset[str] | None = None

    def holds_for(self, stream: str) -> bool:
        """Whether this stream's windows can make an instant an evaluation instant."""
        return self.bound is None or stream in self.bound

    @property
    def window_close(self) -> bool:
        """Whether a window that closes at the instant contributes whole."""
        return Strategy.WINDOW_CLOSE in self.strategies

    @property
    def inside(self) -> bool:
        """Whether an instant may lie inside a window: it has to have passed itself, not only the window."""
        return bool(self.strategies & {Strategy.PERIODIC, Strategy.CONTENT_CHANGE, Strategy.ARRIVAL})

    @property
    def non_empty(self) -> bool:
        """Whether an instant without any element in what a bound window contributes is skipped."""
        return Strategy.NON_EMPTY in self.strategies


def policy_of(strategies: tuple[Strategy, ...], every: int | None, bound: tuple[str, ...] = ()) -> Policy:
    """The policy of a report line, with its period and the streams it is bound to; none: all of them."""
    if Strategy.PERIODIC in strategies and every is None:
        raise InputError("the periodic policy needs a period: COMPUTED EVERY d in the query, or --every d")
    if not set(strategies) - {Strategy.NON_EMPTY}:
        raise InputError("the policy non-empty alone names no instant: join it with another, as in window-close+non-empty")
    return Policy(frozenset(strategies), every if Strategy.PERIODIC in strategies else None, frozenset(bound) or None)
