"""Elements from Python: pairs of a triple and its time, written as the stream text format for executors to read."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from prsp.errors import InputError
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

Element = tuple[object, int]
"""A triple, as N-Triples text or as three terms (prsp's, rdflib's or pyoxigraph's), and its time in milliseconds."""

_MOST_IN_A_FILE = 1_000
_PAUSE = 0.2


def line_of(element: Element) -> str:
    """The element as a line; InputError says what is wrong with one that is none."""
    try:
        triple, time = element
    except (TypeError, ValueError):
        raise InputError(f"an element is a pair of a triple and its time in milliseconds, not {element!r}") from None
    if isinstance(time, bool) or not isinstance(time, int):
        raise InputError(f"the time of an element is an integer of milliseconds, not {time!r}")
    return f"{_text(triple)}\t{time}\n"


def spool(elements: Iterable[Element], path: Path) -> None:
    """Write all of them to a file."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(map(line_of, elements))


class Pump:
    """Writes elements to new files of a folder as they come, until they end or it is closed."""

    def __init__(self, elements: Iterable[Element], folder: Path) -> None:
        self._folder = folder
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=10 * _MOST_IN_A_FILE)
        self._over = threading.Event()
        self.failure: Exception | None = None
        self._threads = [
            threading.Thread(target=self._take, args=(iter(elements),), daemon=True),
            threading.Thread(target=self._write, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _take(self, elements: Iterator[Element]) -> None:
        try:
            for element in elements:
                self._lines.put(line_of(element))
                if self._over.is_set():
                    break
        except Exception as error:  # the caller's own iterator: whatever it throws is told by whoever closes us
            self.failure = error
        self._lines.put(None)

    def _write(self) -> None:
        number, ended = 0, False
        while not ended:
            lines: list[str] = []
            while len(lines) < _MOST_IN_A_FILE and not ended:
                try:
                    line = self._lines.get(timeout=_PAUSE)
                except queue.Empty:
                    ended = self._over.is_set()
                    break
                if line is None:
                    ended = True
                else:
                    lines.append(line)
            if lines:
                hidden = self._folder / f".{number:012d}.nts"
                hidden.write_text("".join(lines), encoding="utf-8", newline="\n")
                hidden.rename(self._folder / f"{number:012d}.nts")
                number += 1

    def close(self) -> None:
        """Take no more; what was taken is written."""
        self._over.set()
        self._threads[1].join(timeout=5)


def _text(triple: object) -> str:
    if isinstance(triple, str):
        text = triple.strip()
        if "\n" in text or "\r" in text:
            raise InputError(f"an element is one triple, on one line: {text!r}")
        return text if text.endswith(".") else f"{text} ."
    terms = list(triple) if isinstance(triple, Iterable) else []
    if len(terms) != 3:
        raise InputError(f"a triple is N-Triples text or three terms, not {triple!r}")
    return " ".join([*map(_term, terms), "."])


def _term(term: object) -> str:
    if isinstance(term, Term):
        return str(term)
    match type(term).__module__.partition(".")[0], type(term).__name__:
        case "pyoxigraph", _:
            return str(term)
        case "rdflib", "URIRef":
            return str(IRI(str(term)))
        case "rdflib", "BNode":
            return str(BlankNode(str(term)))
        case "rdflib", "Literal":
            language, datatype = getattr(term, "language", None), getattr(term, "datatype", None)
            return str(
                Literal(str(term), RDF + "langString", language) if language else Literal(str(term), str(datatype or XSD + "string"))
            )
        case _:
            raise InputError(f"{term!r} is no term of prsp, rdflib or pyoxigraph")
