"""Runs a suite, experiment by experiment; what is done is kept in a folder, so that the same command goes on after an interruption."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prsp.compare.again import comparing, replaying
from prsp.compare.asked import ORACLE, Asked
from prsp.compare.case import Case
from prsp.compare.comparison import compare
from prsp.compare.contender import Contender, contenders, installed
from prsp.compare.document import experiment as told
from prsp.compare.document import versions
from prsp.compare.suites.streams import stream_of
from prsp.compare.suites.suite import Experiment, Suite
from prsp.errors import InputError
from prsp.model.profile import PROFILES
from prsp.parse import parse_query
from prsp.source import StreamSource

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class SuiteOptions:
    """How a suite is run."""

    folder: Path
    """Streams and finished experiments; what is there is used again."""
    repeat: int = 3
    deadline: int | None = None
    reference: Asked | None = None


def suite_contenders(suite: Suite, named: Sequence[Contender]) -> list[Contender]:
    """The suite's own engines, and beside them those the user named, else the suite's default."""
    always = contenders([f"{label}={name}" for label, (name, _) in suite.engines.items()], {k: o for k, (_, o) in suite.engines.items()})
    others = list(named) or (contenders(list(suite.default), {}) if suite.default else installed())
    own = {one.label for one in always}
    for one in named:
        if one.label in own:
            raise InputError(
                f"--backend {one.label}={one.backend.name}: the suite has an engine of its own called {one.label}; call yours otherwise"
            )
    return [*always, *others]


def run_suite(
    suite: Suite,
    taking_part: Sequence[Contender],
    options: SuiteOptions,
    start: Callable[[], SparkSession],
    progress: Callable[[str, float], object] = lambda _what, _part: None,
) -> list[dict[str, Any]]:
    """The experiments as documents, in the suite's order; Spark is started when the first of them has to be made."""
    done: list[dict[str, Any]] = []
    kept = options.folder / "experiments"
    kept.mkdir(parents=True, exist_ok=True)
    count = len(suite.experiments)
    for number, experiment in enumerate(suite.experiments):
        file = kept / f"{experiment.name}-{_key(experiment, taking_part, options)}.json"
        if not file.exists():

            def shown(what: str, part: float, at: int = number, name: str = experiment.name) -> None:
                progress(f"{at + 1} of {count}, {name}: {what}", (at + part) / count)

            document = _made(suite, experiment, taking_part, options, start, shown)
            part = file.with_suffix(".part")
            part.write_text(json.dumps(document), encoding="utf-8")
            part.replace(file)
        done.append(json.loads(file.read_bytes()))
        progress(f"{number + 1} of {count}", (number + 1) / count)
    return done


def _made(
    suite: Suite,
    experiment: Experiment,
    taking_part: Sequence[Contender],
    options: SuiteOptions,
    start: Callable[[], SparkSession],
    progress: Callable[[str, float], object],
) -> dict[str, Any]:
    file, iri, text = stream_of(experiment, options.folder / "streams")
    query = parse_query(text)
    asked = options.folder / "queries" / f"{experiment.name}.rq"
    asked.parent.mkdir(exist_ok=True)
    asked.write_text(text, encoding="utf-8")
    labels = [one.label for one in taking_part]
    named = suite.reference if suite.reference in labels else labels[0] if suite.reference is not None else ORACLE
    case = Case(
        query,
        text,
        PROFILES["prsp"],
        {iri: StreamSource(iri, str(file))},
        reference=options.reference or Asked(named),
        repeat=options.repeat,
        memory=experiment.memory,
        deadline=options.deadline,
        windows=experiment.windows,
    )
    compared = compare(case, taking_part, start, progress)
    return told(
        compared,
        {one.label: replaying(comparing(str(asked), str(file), one), one) for one in taking_part},
        name=experiment.name,
        group=experiment.group,
        x=experiment.x,
        x_label=experiment.x_label,
        measures=experiment.measures,
        settle=experiment.settle,
    )


def _key(experiment: Experiment, taking_part: Sequence[Contender], options: SuiteOptions) -> str:
    """What an experiment's figures depend on."""
    what = {
        "parameters": dict(experiment.parameters),
        "query": experiment.query,
        "windows": experiment.windows,
        "settle": experiment.settle,
        "engines": [(one.label, one.backend.name, dict(one.options)) for one in taking_part],
        "repeat": options.repeat,
        "deadline": options.deadline,
        "reference": None if options.reference is None else (options.reference.name, options.reference.evaluator),
        "versions": versions(),
    }
    return sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:12]
