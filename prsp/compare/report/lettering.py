"""How much room a text takes in a figure, before any font is known: what is drawn must not overlap in any of them."""

from __future__ import annotations

import unicodedata

_NARROW = set("iljtfrI.,:;'|!()[]{}/\\ -")
_WIDE = set("mwMW@%—…")
ELLIPSIS = "…"


def width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of the text in a wide sans-serif font of that size."""
    return sum(map(_em, text)) * size * (1.1 if bold else 1.0)


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """The text on one line, its middle left out where it is too long: beginnings and ends tell names apart."""
    line = " ".join(text.split())
    if width(line, size, bold=bold) <= room:
        return line
    keep = len(line) - 1
    while keep > 1 and width(_cut(line, keep), size, bold=bold) > room:
        keep -= 1
    return _cut(line, keep)


def wrapped(text: str, room: float, size: float, *, bold: bool = False, most: int = 2) -> list[str]:
    """The text in lines that fit, at most so many: the last is shortened."""
    words = text.split() or [""]
    lines: list[str] = [words[0]]
    for number, word in enumerate(words[1:], 1):
        if width(f"{lines[-1]} {word}", size, bold=bold) <= room:
            lines[-1] += f" {word}"
        elif len(lines) == most:
            lines[-1] += " " + " ".join(words[number:])
            break
        else:
            lines.append(word)
    return [shortened(line, room, size, bold=bold) for line in lines]


def _cut(line: str, keep: int) -> str:
    head = (keep * 2 + 2) // 3
    return line[:head].rstrip() + ELLIPSIS + line[len(line) - (keep - head) :].lstrip() if keep > head else line[:head] + ELLIPSIS


def _em(character: str) -> float:
    if character in _NARROW:
        return 0.42
    if character in _WIDE or unicodedata.east_asian_width(character) in "WF":
        return 1.02
    return 0.74 if character.isupper() else 0.65
