"""Power measurements as in SEAS: meters of homes, sampled every five minutes, six measures an observation."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.workload.chance import Chance
from prsp.workload.checks import at_least, check_common
from prsp.workload.recipe import Event, Window, Workload, queries
from prsp.workload.schedule import batch_count, turns

STREAM = "http://example.org/streams/power"
WINDOWS: tuple[Window, ...] = ((3_600_000, 3_600_000), (3_600_000, 300_000))

_SEAS = "http://purl.org/NET/seas#"
_M = "http://purl.org/NET/seas/measures#"
_PREFIXES = f"PREFIX seas: <{_SEAS}>\nPREFIX m: <{_M}>\n"
_MEASURES = {"V_RMS": "rms", "V_THD": "thd", "V_CF": "cf", "W": "watt", "Wh": "watth", "DPF": "dpf"}
_BODIES = {
    "q1": (
        "SEAS Q1, not selective; ours, for the paper's text is lost: every observation with its meter, the meter's kind and three measures",
        "?obs ?meter ?kind ?rms ?watt ?watth",
        "  ?obs seas:measuredBy ?meter .\n  ?meter a ?kind .\n  ?obs m:V_RMS ?rms .\n  ?obs m:W ?watt .\n  ?obs m:Wh ?watth .",
    ),
    "q2": (
        "SEAS Q2, selective: all six measures where power is drawn and the voltage's crest is flat",
        "*",
        "\n".join(f"  ?obs m:{name} ?{variable} ." for name, variable in _MEASURES.items()) + "\n  FILTER(?watt > 10 && ?cf < 1.2)",
    ),
}
_KINDS = ("MainsMeter", "PlugMeter", "PlugMeter", "PlugMeter")
_DAY = (1, 1, 1, 1, 1, 2, 4, 6, 5, 3, 3, 3, 4, 4, 3, 3, 4, 6, 8, 9, 8, 6, 4, 2)
"""How likely an appliance is on in each hour of the day, in tenths."""
_HOUR = 3_600_000


def _template() -> str:
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    obs, meter = "<http://example.org/power/{0}>", "<http://example.org/meter/{1}>"
    number = '"{%d}"^^<http://www.w3.org/2001/XMLSchema#double>'
    facts = [(obs, a, f"<{_SEAS}Observation>"), (obs, f"<{_SEAS}measuredBy>", meter), (meter, a, f"<{_SEAS}{{2}}>")]
    facts += [(obs, f"<{_M}{name}>", number % place) for place, name in enumerate(_MEASURES, 4)]
    return "".join(f"{subject} {predicate} {value} .\t{{3}}\n" for subject, predicate, value in facts)


def power(
    *,
    meters: int = 50,
    interval: int = 300_000,
    seconds: int = 86_400,
    seed: int = 1,
    start: int = 0,
    skew: float = 0.0,
    disorder: int = 0,
    windows: tuple[Window, ...] = WINDOWS,
) -> Workload:
    """The workload: each meter is read every ``interval`` ms for ``seconds``, the end excluded."""
    at_least("meters", meters, 1)
    at_least("interval", interval, 1)
    at_least("seconds", seconds, -(-interval // 1000))
    check_common(skew, disorder, windows)
    rounds = seconds * 1000 // interval

    def batches() -> Iterator[list[Event]]:
        text, number = _template().format, 0
        readings = _Readings(seed, meters, interval)
        for batch in turns(seed, meters, rounds, interval, start, skew):
            yield [(at, text(f"{who}-{i}", who, _KINDS[who % 4], at, *readings.take(who, at))) for i, (at, who) in enumerate(batch, number)]
            number += len(batch)

    return Workload(
        "power",
        STREAM,
        {"meters": meters, "interval": interval, "seconds": seconds, "skew": skew},
        queries(STREAM, _PREFIXES, windows, _BODIES),
        batches,
        batch_count(meters, rounds),
        9,
        seed,
        start,
        disorder,
    )


class _Readings:
    """What each meter shows: an appliance that is on or off for a while, on a mains voltage that wanders between 230 and 250 V."""

    def __init__(self, seed: int, meters: int, interval: int) -> None:
        chance = Chance(seed, "appliance")
        self._random = Chance(seed, "power").random
        self._interval = interval
        # Power in mW, the others in thousandths: whole numbers come out alike everywhere.
        self._idle = [chance.between((500, 9_000)) for _ in range(meters)]
        self._rated = [chance.between((40_000, 2_500_000)) for _ in range(meters)]
        self._on = [False] * meters
        self._volt = 240_000

    def take(self, meter: int, at: int) -> tuple[str, str, str, str, str, str]:
        """V_RMS, V_THD, V_CF, W, Wh, DPF of one reading."""
        random = self._random
        if random() < 0.25:
            self._on[meter] = int(random() * 10) < _DAY[at // _HOUR % 24]
        on = self._on[meter]
        self._volt += int(random() * 801) - 400 + (240_000 - self._volt) // 64
        level = self._rated[meter] if on else self._idle[meter]
        watt = level * (900 + int(random() * 201)) // 1000
        # A sine's crest factor is 1.414; one reading in twenty is of a clipped voltage.
        crest = 1_100 + int(random() * 150) if random() < 0.05 else 1_360 + int(random() * 80)
        thousandths = (self._volt, 500 + int(random() * 4_000), crest, watt, watt * self._interval // _HOUR, 850 + int(random() * 150))
        rms, thd, cf, w, wh, dpf = (f"{n // 1000}.{n % 1000:03d}" for n in thousandths)
        return rms, thd, cf, w, wh, dpf
