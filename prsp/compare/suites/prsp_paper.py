"""The experiments of PRSP, section 5: five loads of YABench, tumbling and sliding windows, TLT, QRT and EET; precision and recall."""

from __future__ import annotations

from functools import partial

from prsp.compare.suites.suite import Experiment, Suite
from prsp.workload import yabench

_SENSORS = (500, 1_000, 1_500, 2_000, 2_500)
_SETTINGS = {"tumbling": (5_000, 5_000, "tumbling windows, 5 s / 5 s"), "sliding": (5_000, 4_000, "sliding windows, 5 s / 4 s")}


def _experiment(setting: str, sensors: int, seconds: int) -> Experiment:
    size, step, group = _SETTINGS[setting]
    return Experiment(
        f"{setting}-{sensors}",
        group,
        sensors,
        "sensors",
        ("tlt", "qrt", "eet"),
        partial(yabench, sensors=sensors, seconds=seconds, windows=((size, step),)),
        {"workload": "yabench", "sensors": sensors, "seconds": seconds},
        f"sensor-{size // 1000}s-{step // 1000}s",
    )


def suite(*, quick: bool) -> Suite:
    """PRSP's Figures 2 to 5 and Table 5; ``quick`` has two small loads."""
    loads = (20, 40) if quick else _SENSORS
    return Suite(
        "prsp",
        "The experiments of PRSP, again",
        "PRSP section 5: the sensor query of YABench over five loads, 12 observations a sensor, in tumbling (5 s / 5 s) and sliding "
        "(5 s / 4 s) windows. TLT is the time an engine takes to load a window, QRT the time it takes to answer, EET both together. "
        "Precision and recall are taken without a deadline: every engine is given the time it needs.",
        tuple(_experiment(setting, sensors, 12) for setting in _SETTINGS for sensors in loads),
    )
