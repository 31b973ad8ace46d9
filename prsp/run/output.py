"""The sink of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prsp.run.options import RunOptions
from prsp.sink import CallbackSink, Sink, open_sink


def sink_of(options: RunOptions, *, resume_at: int | None = None) -> Sink:
    """Where the results of a run go; ``resume_at`` is how far an earlier run had come."""
    if options.on_result is not None:
        return CallbackSink(options.on_result, resume_at=resume_at)
    return open_sink(options.output, options.format, options.query, overwrite=options.overwrite, resume_at=resume_at)


@contextmanager
def closing_sink(sink: Sink) -> Iterator[Sink]:
    """The sink, closed at the end and told whether the run failed."""
    try:
        yield sink
    except BaseException:
        sink.close(failed=True)
        raise
    sink.close()
