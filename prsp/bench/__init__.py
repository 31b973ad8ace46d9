"""The project's own benchmarks: ratios measured in one run, because machines are noisy."""

from prsp.bench.registry import BENCHMARKS, Measured

__all__ = ["BENCHMARKS", "Measured"]
