"""Synthetic documents of comparisons: as large and as hostile as wanted."""

import random
from collections.abc import Iterator
from hashlib import sha256
from statistics import fmean, median
from typing import Any

SCRIPT = "<script>alert(1)</script>"
NASTY = f"""{SCRIPT} & "double" 'single' </style></svg></pre> {{{{ 7 * 7 }}}} \x00\x1b[31m [red]markup[/red]"""
ENGINES = ("oxigraph", "rdflib", "jena over HTTP", "roqet", "spectra", "oxigraph, deltas")
_SPEED = (0.0004, 0.02, 0.006, 0.011, 0.0009, 0.0003)


def document(*, loads: int = 4, windows: int = 12, repeat: int = 3, nasty: bool = False, seed: int = 1, engines: int = 6) -> dict[str, Any]:
    """A group by load, an experiment alone, six engines: one is refused, one fails, one differs, one has other datatypes."""
    chance = random.Random(seed)
    extra = f" {NASTY}" if nasty else ""
    labels = [label + (f" {SCRIPT}&\"'" if nasty and n == 3 else "") for n, label in enumerate(ENGINES[:engines])]
    sizes = [10 * 5**n if loads <= 4 else 100 * (n + 1) for n in range(loads)]
    experiments = [
        _experiment(chance, labels, f"tumbling, {size} sensors", "tumbling 5 s / 5 s", size, windows, repeat, extra) for size in sizes
    ]
    experiments.append(_experiment(chance, labels, f"sliding, joined with static data{extra}", "", None, windows, repeat, extra))
    return {
        "format": "prsp-comparison-1",
        "title": f"Six engines on identical windows{extra}",
        "about": f"YABench's weather stations, averaged per window.\n\nHeavier loads have more stations.{extra}",
        "command": f"prsp compare tumbling.rq --stream weather.nts --backend oxigraph --backend rdflib --repeat {repeat}{extra}",
        "made": "2025-03-04T05:06:07+00:00",
        "machine": {"processor": f"an x86_64 of 2 cores{extra}", "memory": "8 GiB", "cores": 2, "load": 0.25},
        "versions": {"prsp": "0.8", "Python": "3.11.9", "pyoxigraph": "0.5.2", "rdflib": f"7.1.3{extra}"},
        "engines": [
            {
                "label": label,
                "backend": label.split()[0],
                "options": {"mode": f"delta{extra}", "timeout": 5},
                "about": f"as delivered{extra}",
            }
            for label in labels
        ],
        "reference": f"oracle, naive evaluator{extra}",
        "repeat": repeat,
        "experiments": experiments,
    }


def _experiment(
    chance: random.Random, labels: list[str], name: str, group: str, x: int | None, count: int, repeat: int, extra: str
) -> dict[str, Any]:
    size = 6 * (x or 40)
    start = 1_483_850_230_000
    windows = []
    for number in range(count):
        triples = chance.randint(size * 3 // 4, size)
        digest = sha256(f"{name}{number}".encode()).hexdigest()
        windows.append(
            {"at": start + 5000 * number, "seq": number % 2, "elements": triples // 6, "triples": triples, "bytes": triples * 95}
            | {"entered": triples // (1 if x else 3), "sha256": digest, "rows": triples // 6}
        )
    return {
        "name": name,
        "group": group,
        "x": x,
        "x_label": "sensors" if x else "",
        "measures": ["tlt", "qrt", "eet", "throughput"],
        "reference": f"oracle, naive evaluator{extra}",
        "query": {
            "name": "average",
            "text": "REGISTER QUERY average AS\nSELECT ?s (AVG(?v) AS ?mean)\n"
            f"FROM STREAM <urn:s> [RANGE 5s STEP 5s] WHERE {{ ?s <urn:v> ?v }}{extra}",
            "sparql": f"SELECT ?s (AVG(?v) AS ?mean) WHERE {{ GRAPH <urn:w> {{ ?s <urn:v> ?v }} }}{extra}",
        },
        "profile": f"prsp;t0=0{extra}",
        "operator": "rstream",
        "streams": [
            {"iri": f"urn:s{extra}", "read": size * count, "in_windows": size * count - 7, "in_no_window": 4, "late": 2, "rejected": 1}
        ],
        "windows": windows,
        "results": list(_results(chance, labels, windows, x, repeat, extra)),
    }


def _results(
    chance: random.Random, labels: list[str], windows: list[dict[str, Any]], x: int | None, repeat: int, extra: str
) -> Iterator[dict[str, Any]]:
    for slot, label in enumerate(labels):
        if slot == 4 and x is None:
            yield {"engine": label, "refused": f"spectra has no OPTIONAL{extra}", "windows": [], "totals": {}}
            continue
        answers = [_answer(chance, slot, n, window, repeat, extra) for n, window in enumerate(windows)]
        yield {"engine": label, "refused": None, "windows": answers, "totals": _totals(answers, windows)}


def _answer(chance: random.Random, slot: int, number: int, window: dict[str, Any], repeat: int, extra: str) -> dict[str, Any]:
    rows = window["rows"]
    speed = _SPEED[slot] * window["triples"] / 100
    answer: dict[str, Any] = {"at": window["at"], "seq": window["seq"], "rows": rows, "failure": None, "memory": (60 + 30 * slot) * 2**20}
    answer["tlt"] = [speed * chance.uniform(0.8, 1.3) for _ in range(repeat)]
    answer["qrt"] = [speed * chance.uniform(0.3, 0.6) for _ in range(repeat)]
    answer["out"] = [speed / 50] * repeat
    check: dict[str, Any] = {"verdict": "equal", "difference": None, "right": rows, "wanted": rows, "given": rows}
    answer |= {"check": check, "reproduce": None}
    if slot == 3 and number % 5 == 3:
        told = f'1 of {rows} rows is missing, 1 is too many\n- {{"s": "urn:s7", "mean": "21.5"}}\n+ {{"s": "urn:s7", "mean": 21.4}}{extra}'
        check |= {"verdict": "different", "difference": told, "right": rows - 1}
        answer["reproduce"] = f"prsp bundle run window-{window['at']} --backend roqet{extra}"
    elif slot == 2 and number % 6 == 4:
        answer |= {
            "tlt": [],
            "qrt": [],
            "out": [],
            "rows": None,
            "memory": None,
            "failure": {"kind": "timeout", "message": f"no answer within 5 s{extra}"},
        }
        check |= {"verdict": "failed", "right": 0, "given": 0}
        answer["reproduce"] = f"prsp bundle run window-{window['at']} --backend http{extra}"
    elif slot == 1 and number == 2:
        check |= {"verdict": "datatypes", "difference": f'"21.5"^^xsd:decimal, not "21.5"^^xsd:double{extra}'}
    return answer


def _totals(answers: list[dict[str, Any]], windows: list[dict[str, Any]]) -> dict[str, Any]:
    done = [a for a in answers if a["tlt"]]
    tlt, qrt = (fmean(median(a[name]) for a in done) if done else None for name in ("tlt", "qrt"))
    right, wanted, given = (sum(a["check"][name] for a in answers) for name in ("right", "wanted", "given"))
    both = None if tlt is None or qrt is None else tlt + qrt
    verdicts = [a["check"]["verdict"] for a in answers]
    return {
        "tlt": tlt, "qrt": qrt, "eet": both, "out": None if both is None else both / 50,
        "eet_sum": None if both is None else both * len(done),
        "throughput": None if both is None else sum(w["entered"] for w in windows) / (both * len(windows)),
        "memory": max((a["memory"] for a in done), default=None), "memory_base": 50 * 2**20,
        "precision": right / given if given else 1.0, "recall": right / wanted if wanted else 1.0, "f": 2 * right / (wanted + given),
        "windows": len(answers), "failed": verdicts.count("failed"), "different": verdicts.count("different"),
        "datatypes": verdicts.count("datatypes"),
    }  # fmt: skip
