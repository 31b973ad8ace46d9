"""Answers an engine gave, as they were recorded: our NDJSON, or the JSON of CSRBench."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prsp.errors import InputError
from prsp.model.result import decode_term
from prsp.oracle import Answer, Solutions, read_ntriples


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came out at an instant; ``answer`` is None where the engine said that it failed."""

    at: int
    seq: int
    answer: Answer | None


def read_answers(location: str, query: str | None = None) -> list[Recorded]:
    """The answers in a file, by instant. Of a file with several queries' answers, those of ``query``."""
    try:
        text = Path(location).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"--answers {location}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--answers {location}: {error}") from None
    found = _csrbench(location, text) if _is_csrbench(text) else _ndjson(location, text, query)
    return sorted(found, key=lambda recorded: (recorded.at, recorded.seq))


def _is_csrbench(text: str) -> bool:
    """One document with a list of timestamped relations, where ours is a document a line."""
    try:
        document = json.loads(text)
    except ValueError:
        return False
    return isinstance(document, dict) and isinstance(document.get("results"), list)


def _csrbench(location: str, text: str) -> list[Recorded]:
    """``{"results":[{"head":…,"timestamp":t,"results":{"bindings":[{"timestamp":t,"binding":{…}}]}}]}``."""
    found: list[Recorded] = []
    for number, relation in enumerate(json.loads(text)["results"], 1):
        try:
            rows = [row["binding"] for row in relation["results"]["bindings"]]
            found.append(Recorded(int(relation["timestamp"]), 0, _solutions(relation["head"]["vars"], rows)))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{location}: relation {number} is not as CSRBench writes it: {_told(error)}") from None
    return found


def _ndjson(location: str, text: str, query: str | None) -> list[Recorded]:
    found: list[Recorded] = []
    names: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
            name = document.get("query")
            if query is not None and name is not None and name != query:
                names.add(name)
                continue
            found.append(Recorded(int(document["at"]), int(document.get("seq", 0)), answer_in(document)))
        except (AttributeError, KeyError, TypeError, ValueError, InputError) as error:
            raise InputError(f"{location}, line {number}: neither a result line of prsp nor CSRBench's JSON: {_told(error)}") from None
    if not found and names:
        raise InputError(f"{location} has no answers of {query}; it has those of {', '.join(sorted(names))}")
    return found


def answer_in(document: Mapping[str, Any]) -> Answer | None:
    """The answer in a result line, or in any document with the same keys; None where it tells of a failure."""
    if "error" in document:
        return None
    if "boolean" in document:
        return bool(document["boolean"])
    if "triples" in document:
        return frozenset(read_ntriples("\n".join(document["triples"]).encode()))
    return _solutions(document["head"]["vars"], document["results"]["bindings"])


def _solutions(names: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> Solutions:
    columns = tuple(names)
    return Solutions(columns, [tuple(decode_term(row[name]) if name in row else None for name in columns) for row in rows])


def _told(error: Exception) -> str:
    return f"there is no {error}" if isinstance(error, KeyError) else str(error)
