"""Sinks: where results and side outputs go."""

from prsp.sink.ndjson import NdjsonSink

__all__ = ["NdjsonSink"]
