"""A query on an endpoint: each window is one PUT per graph, or one update with the change; each answer one POST."""

from __future__ import annotations

import time

from prsp.model.delta import Delta
from prsp.model.query import Rho
from prsp.model.result import Result
from prsp.model.snapshot import Snapshot
from prsp_backends.http import skolem
from prsp_backends.http.answers import accepted, read
from prsp_backends.http.home import Home
from prsp_backends.http.wire import Dataset, Wire, delete, insert, query_form

_LAST_SECONDS = 10.0  # what cleaning up may take when the endpoint hangs: a run must be able to end
_PATIENCE = 60.0  # and when it does not: some take their time over a large graph
_NOWHERE = Dataset(("urn:prsp:nothing",))


class HttpSession:
    """A session that replaces the whole window."""

    def __init__(self, wire: Wire, rho: Rho, home: Home) -> None:
        self._wire, self._rho, self._home = wire, rho, home
        self._accept = accepted(rho.form)
        self._form: bytes | None = None
        self._named = False
        self._closed = False

    def open(self) -> None:
        """Have the endpoint take the query, on no data, then the static data."""
        self._wire.ask_raw(query_form(self._rho.text, _NOWHERE), self._accept, "take the query")
        self._home.open()

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Replace each graph; the endpoint has read all of it when it says so."""
        self._settle(snapshot, deadline)
        windows = {graph: self._lines(snapshot.data(graph)) for graph in snapshot.graphs}
        together = len(windows) > 1 and skolem.share(windows.values())
        if together and not self._rho.sees_blank_nodes:
            # A blank node cannot be put into two graphs by two requests; its name can.
            windows, together, self._named = {graph: skolem.named(lines) for graph, lines in windows.items()}, False, True
        contents = {self._home.target(graph): self._home.content(graph, lines) for graph, lines in windows.items()}
        if together:
            self._wire.put_together(contents, "load the window", deadline)
        else:
            for graph, content in contents.items():
                self._wire.put(graph, content, "load the window", deadline)
        if self._home.tidy:
            self._wire.update(self._home.tidy, "load the window", deadline)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """The whole answer, read to its end."""
        form = self._form if self._form is not None else self._settle(None, deadline)
        answer = read(self._wire.ask_raw(form, self._accept, "answer", deadline), self._rho.form, "answer")
        return skolem.unnamed(answer) if self._named else answer

    def close(self) -> None:
        """Remove what is ours from the endpoint; what cannot be removed stays in its ledger."""
        if self._closed:
            return  # by now the names may be another session's
        self._closed = True
        self._home.close(time.monotonic() + (_LAST_SECONDS if self._wire.hangs else _PATIENCE))
        self._wire.close()

    def _settle(self, snapshot: Snapshot | None, deadline: float | None) -> bytes:
        if self._form is None or snapshot is None:
            names = [] if snapshot is None else [graph for graph in snapshot.graphs if graph is not None]
            form = query_form(self._rho.text, self._home.settle(names, deadline))
            if snapshot is None:
                return form
            self._form = form
        return self._form

    def _lines(self, window: bytes) -> bytes:
        return window


class HttpDeltaSession(HttpSession):
    """A session that sends the change; its blank nodes have names, which ρ(Q) cannot tell."""

    def __init__(self, wire: Wire, rho: Rho, home: Home) -> None:
        super().__init__(wire, rho, home)
        self._named = True

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        """Take out what went and put in what came, in one request."""
        operations = []
        for graph, net in delta.net().items():
            target = self._home.target(graph)
            if net.removed:
                operations.append(delete(target, map(skolem.named, net.removed)))
            if net.added:
                operations.append(insert(target, map(skolem.named, net.added)))
        if operations:
            self._wire.update([*operations, *self._home.tidy], "apply the change", deadline)

    def _lines(self, window: bytes) -> bytes:
        return skolem.named(window)
