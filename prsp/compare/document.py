"""A comparison as plain values: what ``--json`` prints and every report is made of."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from statistics import mean, median
from typing import Any

from prsp.compare.check import Verdict
from prsp.compare.comparison import Compared, EngineResult, WindowResult
from prsp.compare.contender import Contender
from prsp.compare.frozen import WindowFacts

FORMAT = "prsp-comparison-1"
_PACKAGES = ("prsp", "pyspark", "pyarrow", "pyoxigraph", "rdflib", "requests")


def document(
    title: str, experiments: Sequence[Mapping[str, Any]], engines: Sequence[Contender], *, command: str, repeat: int, about: str = ""
) -> dict[str, Any]:
    """Everything about a comparison of one or more experiments."""
    return {
        "format": FORMAT,
        "title": title,
        "about": about,
        "command": command,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "engines": [
            {"label": one.label, "backend": one.backend.name, "options": dict(one.options), "about": one.backend.about} for one in engines
        ],
        "reference": ", ".join(dict.fromkeys(experiment["reference"] for experiment in experiments)),
        "repeat": repeat,
        "experiments": list(experiments),
    }


def experiment(
    compared: Compared,
    reproduce: Mapping[str, str],
    *,
    name: str,
    group: str = "",
    x: float | None = None,
    x_label: str = "",
    measures: Sequence[str] = ("tlt", "qrt", "eet"),
    settle: int = 0,
) -> dict[str, Any]:
    """One case with its windows and results; ``reproduce`` is, by engine, how to replay its window number {window}.

    So many windows as ``settle`` at the start are in no mean.
    """
    case = compared.case
    return {
        "name": name,
        "group": group,
        "x": x,
        "x_label": x_label,
        "measures": list(measures),
        "settle": settle,
        "reference": compared.reference,
        "query": {"name": case.query.registration.name, "text": case.text, "sparql": case.query.sparql},
        "profile": compared.profile,
        "operator": str(case.profile.operator),
        "streams": [
            {"iri": c.stream, "read": c.read, "in_windows": c.in_windows, "in_no_window": c.in_no_window, "late": c.late}
            | {"rejected": c.rejected}
            for c in compared.frozen.counts
        ],
        "windows": [
            asdict(facts) | {"rows": rows}
            for facts, rows in zip(compared.facts, compared.expected or [0] * len(compared.facts), strict=True)
        ],
        "results": [_result(one, compared.facts, reproduce.get(one.engine), settle) for one in compared.results],
    }


def _result(one: EngineResult, facts: Sequence[WindowFacts], reproduce: str | None, settle: int) -> dict[str, Any]:
    held = list(one.memory.windows) or [None] * len(one.windows)
    return {
        "engine": one.engine,
        "refused": one.refused,
        "windows": [
            _window(window, about, memory, None if reproduce is None else reproduce.replace("{window}", str(number)))
            for number, (window, about, memory) in enumerate(zip(one.windows, facts, held, strict=False))
        ],
        "totals": _totals(one, facts, settle),
    }


def _window(window: WindowResult, about: WindowFacts, memory: int | None, reproduce: str | None) -> dict[str, Any]:
    wrong = window.check is not None and window.check.verdict in (Verdict.DIFFERENT, Verdict.FAILED)
    return {
        "at": about.at,
        "seq": about.seq,
        "tlt": window.tlt,
        "qrt": window.qrt,
        "out": window.out,
        "rows": window.rows,
        "failure": None if window.failure is None else asdict(window.failure),
        "memory": memory,
        "check": None if window.check is None else asdict(window.check),
        "answer": window.digest,
        "reproduce": reproduce if wrong else None,
    }


def _totals(one: EngineResult, facts: Sequence[WindowFacts], settle: int) -> dict[str, Any]:
    """Means over windows of the medians over rounds, EET their sum; windows that failed, in any round, count for the account alone."""
    timed = [(w, f) for w, f in zip(one.windows[settle:], facts[settle:], strict=False) if w.tlt and w.failure is None]
    tlt, qrt, out = ([median(getattr(w, name)) for w, _ in timed] for name in ("tlt", "qrt", "out"))
    eet = [a + b for a, b in zip(tlt, qrt, strict=True)]
    checks = [w.check for w in one.windows if w.check is not None]
    judged = [c for c in checks if c.verdict is not Verdict.UNJUDGED]
    right, wanted, given = (sum(getattr(c, name) for c in judged) for name in ("right", "wanted", "given"))
    precision = right / given if given else 1.0
    recall = right / wanted if wanted else 1.0
    return {
        "tlt": mean(tlt) if tlt else None,
        "qrt": mean(qrt) if qrt else None,
        "out": mean(out) if out else None,
        "eet": mean(eet) if eet else None,
        "eet_sum": sum(eet) if eet else None,
        "throughput": sum(f.entered for _, f in timed) / sum(eet) if eet and sum(eet) else None,
        "memory": one.memory.peak,
        "memory_base": one.memory.base,
        "precision": precision,
        "recall": recall,
        "f": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "windows": len(one.windows),
        "failed": sum(c.verdict is Verdict.FAILED for c in checks),
        "different": sum(c.verdict is Verdict.DIFFERENT for c in checks),
        "datatypes": sum(c.verdict is Verdict.DATATYPES for c in checks),
        "unjudged": sum(c.verdict is Verdict.UNJUDGED for c in checks),
    }


def machine() -> dict[str, Any]:
    """What the figures were measured on, without its name."""
    import psutil

    return {
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": os.cpu_count(),
        "memory_mib": psutil.virtual_memory().total >> 20,
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """Of prsp and what it stands on."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found | {"python": sys.version.split()[0]}
