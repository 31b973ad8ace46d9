"""Streams and static graphs as the command line names them: ``IRI=PLACE``, where either side may contain '='."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.model import ContinuousQuery
    from prsp.source import StreamFormat, StreamSource


def stream_sources(names: Sequence[str], given: Sequence[str], form: str | None, predicate: str | None) -> dict[str, StreamSource]:
    """Each stream that has to come from outside with its source; every one has to be given, and no other."""
    from prsp.source import StreamSource
    from prsp.source.files import GENERATED_AT
    from prsp.source.spool import spooled

    located: dict[str, str] = {}
    for text in given:
        iri = _prefix(names, text)
        location = text.removeprefix(f"{iri}=") if iri is not None else text
        if iri is None and (len(names) != 1 or len(given) > 1 or ("=" in text and not Path(text).exists())):
            raise InputError(f"--stream {text}: no query reads such a stream; what is read is {', '.join(names) or 'nothing from outside'}")
        if (iri or names[0]) in located:
            raise InputError(f"--stream gives {iri or names[0]} twice; a glob or a directory names several files")
        located[iri or names[0]] = location
    missing = [name for name in names if name not in located]
    if missing:
        raise InputError(f"no --stream for {', '.join(missing)}: say --stream {missing[0]}=FILE")
    kind = _format(form)
    return {iri: StreamSource(iri, *spooled(located[iri], kind), predicate or GENERATED_AT) for iri in names}


def graph_files(queries: Sequence[ContinuousQuery], given: Sequence[str]) -> dict[str, str]:
    """``--graph IRI=FILE`` as a mapping."""
    files: dict[str, str] = {}
    known = [graph for query in queries for graph in (*query.static.default, *query.static.named)]
    for text in given:
        iri = _prefix(known, text)
        if iri is None:
            there = f"there is {', '.join(sorted(known))}" if known else "there is none"
            raise InputError(f"--graph {text}: the query has no such FROM or FROM NAMED; {there}")
        files[iri] = text.removeprefix(f"{iri}=")
    return files


def _prefix(names: Sequence[str], text: str) -> str | None:
    return next((name for name in sorted(names, key=len, reverse=True) if text.startswith(f"{name}=")), None)


def _format(name: str | None) -> StreamFormat | None:
    from prsp.source import StreamFormat

    try:
        return None if name is None else StreamFormat(name)
    except ValueError:
        raise InputError(f"there is no stream format '{name}'; there is {', '.join(StreamFormat)}") from None
