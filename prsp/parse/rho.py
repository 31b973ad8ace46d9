"""ρ: overwrite with blanks what is not SPARQL, so that everything else keeps its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOT_A_LINE_BREAK = re.compile(r"[^\r\n]")


def rho(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with every span blanked out; line breaks stay."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        parts += [text[done:start], _NOT_A_LINE_BREAK.sub(" ", text[start:end])]
        done = end
    return "".join([*parts, text[done:]])
