"""N-Triples as the answer of CONSTRUCT and DESCRIBE: every line is checked, and written the one way we compare."""

from __future__ import annotations

import re

from prsp.backend.decode.malformed import Malformed, shown
from prsp.backend.decode.terms import BLANK_TEXT, IRI_TEXT, TERM_TEXT, term_of
from prsp.model.result import Triples
from prsp.model.term import XSD

_LINE = re.compile(rf"[ \t]*({IRI_TEXT}|{BLANK_TEXT})[ \t]*({IRI_TEXT})[ \t]*({TERM_TEXT})[ \t]*\.[ \t]*(?:#.*)?")
_NOTHING = re.compile(r"[ \t]*(?:#.*)?")
_CANONICAL = re.compile(rf"(?:{IRI_TEXT}|{BLANK_TEXT}) {IRI_TEXT} (?:{TERM_TEXT}) \.")
_STRING = f"^^<{XSD}string>"


def decode_ntriples(payload: bytes) -> Triples:
    """The graph; no triples at all are an empty graph, a line that is cut short is an error."""
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"byte {error.start} is not UTF-8") from error
    if text and not text.endswith("\n"):
        raise Malformed(f"its last line is cut short: {shown(text.rpartition(chr(10))[2])}")
    lines = [_canonical(line.removesuffix("\r"), number) for number, line in enumerate(text.split("\n"), 1)]
    return Triples("".join(f"{line}\n" for line in lines if line).encode())


def _canonical(line: str, number: int) -> str:
    if "\\" not in line and _STRING not in line and _CANONICAL.fullmatch(line):
        return line
    match = _LINE.fullmatch(line)
    if match is None:
        if _NOTHING.fullmatch(line):
            return ""
        raise Malformed(f"line {number} is no N-Triples: {shown(line)}")
    return f"{term_of(match[1])} {term_of(match[2])} {term_of(match[3])} ."
