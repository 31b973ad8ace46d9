"""The outputs of a run: one place for all queries, or a folder with a place for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from prsp.errors import InputError
from prsp.model.evaluation import Evaluation
from prsp.run.options import RunOptions
from prsp.sink import CallbackSink, Format, Sink, is_folder, open_sink

_APART = (Format.CSV, Format.NT)
"""Formats in which the results of several queries cannot be told apart."""


class Outputs:
    """Where evaluations go. ``lengths`` is how far each place has come, in its own measure: a restarted run begins there again."""

    def __init__(self, options: RunOptions, *, resume_at: Sequence[int] | None = None) -> None:
        names = [registered.name for registered in options.queries]
        self._sinks: dict[str, Sink] = {}
        self._made: list[Sink] = []
        refuse_mixed(options)
        try:
            if options.on_result is not None:
                self._made = [CallbackSink(options.on_result, resume_at=None if resume_at is None else resume_at[0])]
            else:
                each = options.queries if is_folder(options.output) else options.queries[:1]
                for number, registered in enumerate(each):
                    at = None if resume_at is None else resume_at[number]
                    sink = open_sink(options.output, options.format, registered.query, overwrite=options.overwrite, resume_at=at)
                    self._made.append(sink)
        except BaseException:
            self.close(failed=True)
            raise
        self._sinks = {name: self._made[number if len(self._made) > 1 else 0] for number, name in enumerate(names)}

    @property
    def lengths(self) -> list[int]:
        """How far each place has come."""
        return [sink.length for sink in self._made]

    def write(self, evaluation: Evaluation) -> None:
        """Add one result; OutputFailed when that does not work, also when tried again."""
        self._sinks[evaluation.query].write(evaluation)

    def flush(self) -> None:
        """Make what was written visible to others, and safe."""
        for sink in self._made:
            sink.flush()

    def close(self, *, failed: bool = False) -> None:
        """End; a run that ``failed`` before its first result leaves nothing in the way of the next try."""
        for sink in self._made:
            sink.close(failed=failed)


def refuse_mixed(options: RunOptions) -> None:
    """InputError where several queries would write into one file in a form that does not tell them apart."""
    if len(options.queries) > 1 and options.format in _APART and options.on_result is None and not is_folder(options.output):
        raise InputError(f"--format {options.format} does not tell several queries apart: use --output DIR/, or ndjson")


@contextmanager
def closing(outputs: Outputs) -> Iterator[Outputs]:
    """The outputs, closed at the end and told whether the run failed."""
    try:
        yield outputs
    except BaseException:
        outputs.close(failed=True)
        raise
    outputs.close()
