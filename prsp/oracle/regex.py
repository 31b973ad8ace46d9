"""Regular expressions of XPath (F&O section 5.6.1) as Python's."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from prsp.oracle.problem import ExpressionError

_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
_NAME_START = (
    ":A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff"
)
_CLASSES = {"s": r" \t\n\r", "i": _NAME_START, "c": _NAME_START + "\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040"}
_TOKEN = re.compile(r"\\[pP]\{(?P<category>[^}]*)\}|\\(?P<escaped>.)|(?P<plain>.)", re.DOTALL)


def compile_pattern(pattern: str, flags: str) -> re.Pattern[str]:
    """The pattern ready to use; a type error if it or its flags are wrong."""
    if set(flags) - set("imsxq"):
        raise ExpressionError(f"'{flags}' are not flags of a regular expression")
    if "q" in flags:
        pattern = re.escape(pattern)
    else:
        pattern = _translated(re.sub(r"[ \t\r\n]", "", pattern) if "x" in flags else pattern, "m" in flags)
    try:
        return re.compile(pattern, sum(_FLAGS.get(flag, 0) for flag in set(flags)))
    except (re.error, OverflowError) as fault:
        raise ExpressionError(f"not a regular expression: {fault}") from None


def replacement(text: str, groups: int) -> Callable[[re.Match[str]], str]:
    r"""What REPLACE puts in place of a match: ``$1`` is a group, ``\$`` and ``\\`` stand for themselves."""
    parts: list[str | int] = []
    for token in re.finditer(r"\\(?P<escaped>[\\$])|\$(?P<group>[0-9]+)|(?P<plain>[^\\$])|(?P<wrong>.)", text, re.DOTALL):
        if token["wrong"]:
            raise ExpressionError(f"'{text}' is no replacement text")
        if token["group"] is None:
            parts.append(token["escaped"] or token["plain"])
            continue
        # As many digits as make the number of a group that is there; the rest are digits.
        digits = token["group"]
        length = next((n for n in range(len(digits), 1, -1) if int(digits[:n]) <= groups), 1)
        parts += [int(digits[:length]), digits[length:]]

    def fill(match: re.Match[str]) -> str:
        return "".join(part if isinstance(part, str) else (match[part] or "") if part <= groups else "" for part in parts)

    return fill


def _translated(pattern: str, multiline: bool) -> str:
    """The pattern outside of classes: only ``$`` and the escapes differ."""
    tokens = _TOKEN.finditer(pattern)
    out: list[str] = []
    for token in tokens:
        if token["plain"] == "[":
            out.append(_class(tokens))
        elif token["plain"] == "$" and not multiline:
            out.append(r"\Z")  # Python's $ also matches before a last line break
        elif token["plain"] is not None:
            out.append(token["plain"])
        else:
            members, negated = _escape(token)
            out.append(members if members.startswith("\\") and len(members) == 2 else f"[{'^' if negated else ''}{members}]")
    return "".join(out)


def _class(tokens: Iterator[re.Match[str]]) -> str:
    """A character class; ``[a-z-[aeiou]]`` becomes a look-ahead that refuses what is taken away."""
    out: list[str] = []
    unless = ""
    negated = False
    others: list[str] = []
    for token in tokens:
        plain = token["plain"]
        if plain == "]" and out + others:
            break
        if plain == "^" and not out and not negated:
            negated = True
        elif plain == "[":
            if out and out[-1] == "-":
                out.pop()
            unless = f"(?!{_class(tokens)})"
        elif plain is not None:
            out.append(plain)
        else:
            members, without = _escape(token)
            if without:
                others.append(f"[^{members}]")
            else:
                out.append(members)
    body = "".join(out)
    choices = ([f"[{body}]"] if body else []) + others
    return f"(?:{unless}(?!{'|'.join(choices)})[\\s\\S])" if negated else f"(?:{unless}(?:{'|'.join(choices)}))"


def _escape(token: re.Match[str]) -> tuple[str, bool]:
    """The members of what an escape stands for, and whether everything else is meant."""
    if token["category"] is not None:
        return _category(token["category"]), token[0].startswith(r"\P")
    letter = token["escaped"]
    if letter in "wW":
        return _category("P", "Z", "C"), letter == "w"
    if letter in "dD":
        return _category("Nd"), letter == "D"
    if letter.lower() in _CLASSES:
        return _CLASSES[letter.lower()], letter.isupper()
    return "\\" + letter, False


@cache
def _category(*names: str) -> str:
    """The characters of some Unicode categories, as ranges."""
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(names):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    if not ranges:
        raise ExpressionError(f"{', '.join(names)} is no category of characters")
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)
