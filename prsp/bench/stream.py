"""A YABench-like stream for the benchmarks: stations report a temperature, seven triples an observation."""

from __future__ import annotations

from pathlib import Path

_OM = "http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#"
_WEATHER = "http://knoesis.wright.edu/ssw/ont/weather.owl#"
_RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_FLOAT = "http://www.w3.org/2001/XMLSchema#float"
TRIPLES_PER_OBSERVATION = 7


def write_stream(folder: Path, elements: int, *, per_second: int, files: int = 1, start: int = 1_483_850_232_556) -> list[Path]:
    """Write so many elements, in order, evenly over some files; event time advances by ``per_second`` elements a second."""
    paths = [folder / f"part-{number:04d}.nts" for number in range(files)]
    observations = -(-elements // TRIPLES_PER_OBSERVATION)
    each = -(-observations // files)
    for number, path in enumerate(paths):
        with path.open("w", encoding="ascii") as out:
            for first in range(number * each, min((number + 1) * each, observations), 5_000):
                last = min(first + 5_000, (number + 1) * each, observations)
                out.write("".join(observation(i, start + i * TRIPLES_PER_OBSERVATION * 1000 // per_second) for i in range(first, last)))
    return paths


def observation(number: int, time: int, stations: int = 500) -> str:
    """One observation as seven timestamped lines."""
    station = number % stations
    obs, measure = f"<http://example.org/observation/{station}-{number}>", f"<http://example.org/measure/{station}-{number}>"
    return (
        f"{obs} {_RDF_TYPE} <{_WEATHER}TemperatureObservation> .\t{time}\n"
        f"{obs} <{_OM}observedProperty> <{_WEATHER}_AirTemperature> .\t{time}\n"
        f"{obs} <{_OM}procedure> <http://example.org/sensor/{station}> .\t{time}\n"
        f"{obs} <{_OM}result> {measure} .\t{time}\n"
        f"{measure} {_RDF_TYPE} <{_OM}MeasureData> .\t{time}\n"
        f'{measure} <{_OM}floatValue> "{number * 7919 % 100}.0"^^<{_FLOAT}> .\t{time}\n'
        f"{measure} <{_OM}uom> <{_WEATHER}fahrenheit> .\t{time}\n"
    )
