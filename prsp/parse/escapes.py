"""Codepoint escapes, ``u`` or ``U`` and hex digits behind a backslash: they stand for their character anywhere (SPARQL 19.2)."""

from __future__ import annotations

import re
from bisect import bisect_right

from prsp.parse.problem import SyntaxProblem
from prsp.parse.tokens import COMMENT, OPAQUE

# An escaped backslash is matched, so that the u behind it is not taken for an escape.
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|\\)")
_COMMENTS = re.compile(rf"{OPAQUE} | (?P<comment>{COMMENT})", re.VERBOSE | re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Source:
    """A query text with its codepoint escapes replaced, which knows where each character came from."""

    def __init__(self, original: str) -> None:
        # A byte order mark is not part of the query; as a blank it moves nothing.
        self.original = self.text = " " + original[1:] if original.startswith("\ufeff") else original
        self._positions: list[int] = []
        """Where, in the replaced text, each replacement ends."""
        self._shifts: list[int] = [0]
        """How many characters were saved up to there."""

    def replace_escapes(self) -> None:
        """Fill ``text``; SyntaxProblem for what is not a character."""
        lone = _SURROGATE.search(self.original)
        if lone:
            raise SyntaxProblem("this is half a surrogate pair, not a character", lone.start())
        if "\\u" not in self.original and "\\U" not in self.original:
            return
        parts: list[str] = []
        positions: list[int] = []
        shifts = [0]
        done = length = 0
        comments = [m.span() for m in _COMMENTS.finditer(self.original) if m["comment"]]
        for match in _ESCAPE.finditer(self.original):
            digits = match[1] or match[2]
            if digits is None or any(start <= match.start() < end for start, end in comments):
                continue
            code = int(digits, 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise SyntaxProblem(f"{match[0]} is not a character", match.start())
            parts += [self.original[done : match.start()], chr(code)]
            length += match.start() - done + 1
            done = match.end()
            positions.append(length)
            shifts.append(shifts[-1] + len(match[0]) - 1)
        self.text = "".join([*parts, self.original[done:]])
        self._positions, self._shifts = positions, shifts

    def offset(self, position: int) -> int:
        """The offset in the original of a position in ``text``."""
        return position + self._shifts[bisect_right(self._positions, position)]
