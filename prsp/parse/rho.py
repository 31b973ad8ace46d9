"""ρ: overwrite with blanks what is not SPARQL, so that everything else keeps its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prsp.parse.tokens import COMMENT, OPAQUE

_WITHIN_A_LINE = re.compile(r"[^\r\n]+")
_BREAKS = re.compile(rf"{OPAQUE} | {COMMENT} | (?P<breaks>(?:[ \t]*(?:\r\n|\r|\n))+)", re.VERBOSE | re.DOTALL)


def rho(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with every span blanked out; line breaks stay."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        parts += [text[done:start], _WITHIN_A_LINE.sub(lambda m: " " * len(m[0]), text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def tidy(sparql: str) -> str:
    """ρ(Q) without trailing blanks and empty lines, for reading; what is inside a string stays as it is."""
    text = _BREAKS.sub(lambda m: "\n" if m["breaks"] else m[0].rstrip(" \t") if m[0].startswith("#") else m[0], sparql)
    return text.strip("\n").rstrip()
