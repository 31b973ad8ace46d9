"""A run in the hands of a Python program: evaluations one by one, a table of all, the account at the end."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

from prsp.model.evaluation import Evaluation
from prsp.run.bounded import BoundedRun
from prsp.run.live import run_live
from prsp.run.opened import Opened
from prsp.run.options import RunOptions
from prsp.run.summary import Summary
from prsp.sink import CallbackSink, NobodyTakes

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_PAUSE = 0.1


class Run:
    """The evaluations of a run, lazily and in order. Close it, or use it in a ``with``: that ends engines, Spark and files."""

    def __init__(self, options: RunOptions, opened: Opened) -> None:
        self._opened = opened
        self._bounded: BoundedRun | None = None
        self._live: _Live | None = None
        self.summary = Summary()
        """The account; whole when the run is closed."""
        try:
            if opened.follow:
                self._live = _Live(options, opened)
            else:
                self._bounded = BoundedRun(options)
                self.summary = self._bounded.summary
        except BaseException:
            opened.close()
            raise

    def __iter__(self) -> Iterator[Evaluation]:
        source = self._bounded if self._bounded is not None else self._live
        assert source is not None
        return iter(source)

    def each(self, function: Callable[[Evaluation], object]) -> None:
        """Call a function with each evaluation that is left; where it raises an OSError, again with the same one, a few times."""
        sink = CallbackSink(function)
        for evaluation in self:
            sink.write(evaluation)

    def arrow(self) -> pa.Table:
        """All evaluations that are left of SELECT queries as one table: query, at, seq, and the variables as N-Triples text."""
        import pyarrow as pa

        tables = []
        for evaluation in self:
            table = evaluation.arrow()
            fixed = {"query": evaluation.query, "at": evaluation.at, "seq": evaluation.seq}
            columns = [pa.array([value] * table.num_rows) for value in fixed.values()]
            tables.append(pa.Table.from_arrays([*columns, *table.columns], names=[*fixed, *table.column_names]))
        return pa.concat_tables([t for t in tables if t.num_rows] or tables[:1], promote_options="default") if tables else pa.table({})

    def pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        frame: pd.DataFrame = self.arrow().to_pandas()
        return frame

    def close(self) -> None:
        """End the run; a live one finishes the window in hand and commits its progress."""
        if self._live is not None:
            self.summary = self._live.close()
        if self._bounded is not None:
            self._bounded.close()
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _Live:
    """A live run in a thread of its own. It goes on when its evaluation has been taken, so that nothing unread counts as delivered."""

    def __init__(self, options: RunOptions, opened: Opened) -> None:
        self._opened = opened
        self._stop = threading.Event()
        self._ready: queue.Queue[Evaluation] = queue.Queue(maxsize=1)
        self._taken = threading.Event()
        self._summary = Summary()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(replace(options, on_result=self._give),), daemon=True)
        self._thread.start()

    def _run(self, options: RunOptions) -> None:
        try:
            self._summary = run_live(options, self._stop)
        except BaseException as error:  # told to whoever iterates or closes
            self._failure = error

    def _give(self, evaluation: Evaluation) -> None:
        self._taken.clear()
        self._ready.put(evaluation)
        while not self._taken.wait(_PAUSE):
            if self._stop.is_set():
                with suppress(queue.Empty):
                    self._ready.get_nowait()
                    raise NobodyTakes("the run was closed")
                return  # taken in this very moment

    def __iter__(self) -> Iterator[Evaluation]:
        while True:
            try:
                evaluation = self._ready.get(timeout=_PAUSE)
            except queue.Empty:
                self._opened.check()
                if not self._thread.is_alive() and self._ready.empty():
                    if self._failure is not None:
                        raise self._failure from None
                    return
                continue
            self._taken.set()
            yield evaluation

    def close(self) -> Summary:
        """Stop and wait until what is in hand is done."""
        self._stop.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._summary
