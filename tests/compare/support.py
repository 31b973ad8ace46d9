"""Small comparisons: a query over a stream that is written on the spot."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from prsp.backend import Backend, open_backend
from prsp.compare import Asked, Case, Compared, Contender, compare, experiment
from prsp.model.profile import PROFILES, Profile
from prsp.parse import parse_query
from prsp.source import StreamSource

S = "http://e/s"
VALUES = (
    f"REGISTER QUERY vals AS SELECT ?s ?v FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?s <http://e/v> ?v . ?s a <http://e/Sensor> }}"
)


def readings(count: int, every: int = 1, value: str = '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>') -> str:
    """Sensors with a type and a value each, one after another."""
    lines = []
    for number in range(count):
        sensor, time = f"<http://e/sensor{number % 7}>", number * every
        lines.append(f"{sensor} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Sensor> .\t{time}\n")
        lines.append(f"{sensor} <http://e/v> {value.format(number)} .\t{time}\n")
    return "".join(lines)


def case(folder: Path, text: str, streams: Mapping[str, str], *, profile: Profile = PROFILES["prsp"], **given: Any) -> Case:
    """What is compared; the streams are written below a folder."""
    sources = {}
    for number, (iri, lines) in enumerate(streams.items()):
        file = folder / f"stream-{number}.nts"
        file.write_text(lines, encoding="utf-8")
        sources[iri] = StreamSource(iri, str(file))
    settings: dict[str, Any] = {"repeat": 2, "memory": False, "reference": Asked()} | given
    return Case(parse_query(text), text, profile, sources, **settings)


def engine(label: str, backend: Backend | None = None, **options: str) -> Contender:
    return Contender(label, open_backend(label, options) if backend is None else backend, options)


def document(compared: Compared) -> dict[str, Any]:
    return experiment(compared, {}, name=compared.case.query.registration.name)


def run(spark: SparkSession, what: Case, engines: Sequence[Contender]) -> dict[str, dict[str, Any]]:
    return {result["engine"]: result for result in document(compare(what, engines, lambda: spark))["results"]}


def verdicts(result: Mapping[str, Any]) -> list[str]:
    return [str(window["check"]["verdict"]) for window in result["windows"]]
