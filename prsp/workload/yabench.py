"""YABench: weather stations that report a temperature, seven triples an observation; the loads and windows of PRSP's experiments."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from prsp.errors import InputError
from prsp.workload.chance import Chance
from prsp.workload.checks import at_least, check_common
from prsp.workload.recipe import Event, Window, Workload, queries
from prsp.workload.schedule import batch_count, turns

STREAM = "http://example.org/streams/sensors"
WINDOWS: tuple[Window, ...] = ((5_000, 5_000), (5_000, 4_000))
PRESETS = MappingProxyType({f"prsp-{sensors}": sensors for sensors in (500, 1000, 1500, 2000, 2500)})
"""PRSP's five loads: so many sensors, each with 12 observations, one a second (42,000 to 210,000 triples)."""

_OM = "http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#"
_WEATHER = "http://knoesis.wright.edu/ssw/ont/weather.owl#"
_OFF = 0.01
"""How far, of itself, a rate may be off because an interval is whole milliseconds."""
_PREFIXES = f"PREFIX om-owl: <{_OM}>\nPREFIX weather: <{_WEATHER}>\n"
_READING = """  ?obs om-owl:observedProperty weather:_AirTemperature ;
       om-owl:procedure ?sensor ;
       om-owl:result [ om-owl:floatValue ?value ] ."""
_HOT = f"{_READING}\n  FILTER(?value > 50.0)"
_PAIR = "\n".join(
    f"  ?obs{n} om-owl:observedProperty weather:_AirTemperature ; om-owl:procedure ?sensor ; om-owl:result ?result{n} .\n"
    f"  ?result{n} om-owl:floatValue ?value{n} ."
    for n in (1, 2)
)
_BODIES = {
    "sensor": ("PRSP's SensorQuery: observations with sensor and value", "?sensor ?obs ?value", _READING),
    "filter": ("YABench-One experiment 1: values above 50", "?sensor ?obs ?value", _HOT),
    "average": ("YABench-One experiment 2: mean of the values above 50", "(AVG(?value) AS ?average)", _HOT),
    "variation": (
        "YABench-One experiment 3: two observations of a sensor of which the first is warmer",
        "?sensor ?obs1 ?value1 ?obs2",
        f"{_PAIR}\n  FILTER(?value1 - ?value2 > 0.0)",
    ),
}


def _template() -> str:
    """An observation's lines; 0 names it, 1 is the sensor, 2 the value, 3 the time."""
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    parts = {"obs": "<http://example.org/observation/{0}>", "measure": "<http://example.org/measure/{0}>"}
    facts = (
        ("obs", a, f"<{_WEATHER}TemperatureObservation>"),
        ("obs", f"<{_OM}observedProperty>", f"<{_WEATHER}_AirTemperature>"),
        ("obs", f"<{_OM}procedure>", "<http://example.org/sensor/{1}>"),
        ("obs", f"<{_OM}result>", parts["measure"]),
        ("measure", a, f"<{_OM}MeasureData>"),
        ("measure", f"<{_OM}floatValue>", '"{2}.0"^^<http://www.w3.org/2001/XMLSchema#float>'),
        ("measure", f"<{_OM}uom>", f"<{_WEATHER}fahrenheit>"),
    )
    return "".join(f"{parts[subject]} {predicate} {value} .\t{{3}}\n" for subject, predicate, value in facts)


def yabench(
    *,
    sensors: int = 500,
    rate: float = 1.0,
    seconds: int = 12,
    seed: int = 1,
    start: int = 0,
    skew: float = 0.0,
    disorder: int = 0,
    windows: tuple[Window, ...] = WINDOWS,
) -> Workload:
    """The workload: ``rate`` is observations a second of each sensor; the stream lasts ``seconds``, its end excluded."""
    at_least("sensors", sensors, 1)
    at_least("seconds", seconds, 1)
    check_common(skew, disorder, windows)
    if not 0 < rate <= 1000:
        raise InputError(f"--rate {rate}: observations a second of each sensor, more than 0 and at most 1000")
    interval = round(1000 / rate)
    if abs(1000 / interval / rate - 1) > _OFF:
        near = sorted({1000 / each for each in (int(1000 / rate), int(1000 / rate) + 1)})
        raise InputError(
            f"--rate {rate:g}: observations of a sensor are whole milliseconds apart; near it are {near[0]:.4g} and {near[1]:.4g}"
        )
    rounds = seconds * 1000 // interval
    if rounds == 0:
        raise InputError(f"--rate {rate} gives no observation within {seconds} s; raise --rate or --seconds")

    def batches() -> Iterator[list[Event]]:
        temperature, text, number = Chance(seed, "temperature").below, _template().format, 0
        for batch in turns(seed, sensors, rounds, interval, start, skew):
            yield [(at, text(f"{who}-{i}", who, temperature(100), at)) for i, (at, who) in enumerate(batch, number)]
            number += len(batch)

    return Workload(
        "yabench",
        STREAM,
        {"sensors": sensors, "rate": rate, "seconds": seconds, "skew": skew},
        queries(STREAM, _PREFIXES, windows, _BODIES),
        batches,
        batch_count(sensors, rounds),
        7,
        seed,
        start,
        disorder,
    )
