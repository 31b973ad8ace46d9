"""Benchmark streams and their queries: YABench, LUBM and power measurements, seeded and made again byte for byte."""

from prsp.workload.lubm import lubm
from prsp.workload.power import power
from prsp.workload.recipe import Query, Workload
from prsp.workload.writer import write_workload
from prsp.workload.yabench import PRESETS, yabench

__all__ = ["PRESETS", "Query", "Workload", "lubm", "power", "write_workload", "yabench"]
