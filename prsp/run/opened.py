"""Streams given from Python, opened for a run: paths as they are, iterables and DataFrames through files executors can read."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from prsp.errors import EngineError, InputError
from prsp.source import StreamFormat, StreamSource
from prsp.source.elements import Pump, spool
from prsp.transform.frame import is_frame, is_streaming, pour_frame, write_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from prsp.source.elements import Element

StreamInput: TypeAlias = "str | Path | Iterable[Element] | DataFrame"
"""A path, pairs of a triple and its time in milliseconds, or a Spark DataFrame."""


class Opened:
    """The sources of a run and what has to be ended with it.

    A live run needs a checkpoint; without one it gets a folder that goes away with the run, and cannot be resumed.
    """

    def __init__(self, streams: Mapping[str, Any], *, follow: bool, checkpoint: str | None) -> None:
        self.follow = follow
        self._streams = streams
        self._folder = Path(tempfile.mkdtemp(prefix="prsp-open-"))
        self._keeps = checkpoint is not None
        self.checkpoint = checkpoint if checkpoint is not None else str(self._folder / "checkpoint") if follow else None
        self._pumps: list[Pump] = []
        self._pouring: list[Any] = []

    def sources(self) -> dict[str, StreamSource]:
        """Each stream as files."""
        return {iri: self._source(number, iri, given) for number, (iri, given) in enumerate(self._streams.items())}

    def _source(self, number: int, iri: str, given: Any) -> StreamSource:
        if isinstance(given, str | Path):
            return StreamSource(iri, str(given))
        place = self._folder / f"stream-{number}"
        if is_frame(given):
            return StreamSource(iri, self._framed(number, iri, given, place), StreamFormat.NTS)
        if not isinstance(given, Iterable):
            raise InputError(f"stream {iri}: a path, an iterable of (triple, milliseconds) or a Spark DataFrame, not {given!r}")
        if self.follow:
            place.mkdir()
            self._pumps.append(Pump(given, place))
            return StreamSource(iri, str(place), StreamFormat.NTS)
        path = place.with_suffix(".nts")
        spool(given, path)
        return StreamSource(iri, str(path), StreamFormat.NTS)

    def _framed(self, number: int, iri: str, frame: Any, place: Path) -> str:
        if is_streaming(frame) != self.follow:
            wanted = (
                "a streaming DataFrame has no end: say follow=True" if is_streaming(frame) else "follow=True wants a streaming DataFrame"
            )
            raise InputError(f"stream {iri}: {wanted}")
        if not self.follow:
            write_frame(frame, str(place))
            return str(place)
        assert self.checkpoint is not None
        # What a checkpoint that lasts goes on from has to last as well.
        base = Path(self.checkpoint) / f"poured-{number}" if self._keeps else self._folder / f"poured-{number}"
        (base / "files").mkdir(parents=True, exist_ok=True)
        self._pouring.append(pour_frame(frame, str(base / "files"), str(base / "offsets")))
        return str(base / "files")

    def check(self) -> None:
        """EngineError when what feeds the run has failed."""
        for pump in self._pumps:
            if pump.failure is not None:
                raise EngineError(f"the iterable of a stream failed: {type(pump.failure).__name__}: {pump.failure}") from pump.failure
        for query in self._pouring:
            if query.exception() is not None:
                raise EngineError(f"the DataFrame of a stream failed: {query.exception()}")

    def close(self) -> None:
        """End what feeds the run; temporary files go away."""
        for pump in self._pumps:
            pump.close()
        for query in self._pouring:
            query.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
