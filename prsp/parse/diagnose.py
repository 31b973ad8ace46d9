"""Turns a fault into a message people can act on: what was found, what could stand there, and what was probably meant."""

from __future__ import annotations

import re
from difflib import get_close_matches
from unicodedata import name

from prsp.errors import QuerySyntaxError
from prsp.parse.duration import UNITS
from prsp.parse.escapes import Source
from prsp.parse.grammar import Parser, Unparsable
from prsp.parse.problem import SyntaxProblem

_WORD = re.compile(r"[ \t\r\n]*([\w-]+|[^ \t\r\n])")
_KEYWORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NO_NAME = re.compile(r"REGIST(?:ER|RATION)\s+(?:QUERY|STREAM)\s+AS\s*\Z", re.IGNORECASE)
_LAST_WORD = re.compile(r"[A-Za-z]+\Z")
_BAD_ESCAPE = re.compile(r"""(["'])(?:(?!\1)[^\\\r\n]|\\[tbnrf\\"'])*\\[^tbnrf\\"']""")
_LONGEST_LIST = 10

_KINDS = {
    "IRIREF": "an IRI <…>",
    "PNAME_LN": "a prefixed name",
    "PNAME_NS": "a prefixed name",
    "NAME": "a name",
    "VAR1": "a variable",
    "VAR2": "a variable",
    "BLANK_NODE_LABEL": "a blank node",
    "LANGTAG": "a language tag",
    "UNIT": f"a unit ({', '.join(UNITS)})",
    "NUMBER": "a number",
    "ISO_DURATION": "a duration like PT5S",
    "COMPARISON": "a comparison",
    "$END": "the end of the query",
}
_KIND_PREFIXES = {"STRING_": "a string", "INTEGER": "a number", "DECIMAL": "a number", "DOUBLE": "a number"}
_FUNCTIONS = "a function"


def unparsable(fault: Unparsable, source: Source, parser: Parser) -> QuerySyntaxError:
    """The error for a text that leaves the grammar."""
    match = _WORD.match(source.text, fault.at)
    found = match[1] if match else ""
    words = _words(fault.expected, parser)
    message, hint = _message(found, fault, source.text), _suggestion(found, words) or _hint(found, fault, source.text)
    return _error(message, source, fault.at, expected=_readable(fault.expected, parser), hint=hint)


def problem(fault: SyntaxProblem, source: Source) -> QuerySyntaxError:
    """The error for a text that the grammar takes but the recommendation does not."""
    return _error(fault.message, source, fault.at, hint=fault.hint)


def _message(found: str, fault: Unparsable, text: str) -> str:
    if "AS" in fault.expected and _NO_NAME.search(text[: fault.at]):
        return f"the query has no name: found '{found}' where AS is expected, so the AS before it was taken as the name"
    if "UNIT" in fault.expected:
        if found.upper() == "TRIPLES":
            return "TRIPLES stands before the number: [RANGE TRIPLES 10]"
        if found and found[0].isalpha() and found.upper() not in ("STEP", "TUMBLING"):
            return f"unknown unit '{found}'"
        return "a unit is missing after this number" if not found else f"a unit is missing before '{found}'"
    if not found:
        return "the query ends too early"
    if found in "\"'":
        return f"a string that begins with {found} here does not end, or may not stand here"
    if found == "<" and "IRIREF" in fault.expected:
        return "this is not an IRI: <…> may not contain blanks, quotes, braces or backslashes, and must end with >"
    if not found.isprintable() or (not found.isascii() and not found.isalnum()):
        return f"did not expect the character U+{ord(found):04X} ({name(found, 'unnamed')}) here"
    return f"did not expect '{found}' here"


def _hint(found: str, fault: Unparsable, text: str) -> str | None:
    """What to do about some frequent slips."""
    before = text[: fault.at].rstrip()
    last_word = _LAST_WORD.search(before)
    if found == "<" and "COMPARISON" in fault.expected:
        return "from this < to the next > reads as an IRI: put a blank after <"
    if found in "\"'" and found and _BAD_ESCAPE.match(text, fault.at):
        return "a backslash in a string must be followed by one of t b n r f \\ \" '"
    if last_word and last_word[0].upper() in ("FILTER", "HAVING", "ASC", "DESC") and found[:1] in ("?", "$"):
        return f"put it in parentheses: {last_word[0].upper()}(…)"
    if found == "/" and before.upper().endswith((" HTTP:", " HTTPS:")):
        return "write an IRI as <…>"
    if "FROM" in fault.expected and text[fault.at :].partition("(")[0].strip().isalpha() and "(" in text[fault.at : fault.at + 40]:
        return "an expression needs parentheses and a name: (… AS ?name)"
    return None


def _suggestion(found: str, words: set[str]) -> str | None:
    close = get_close_matches(found.upper(), sorted(words), n=1, cutoff=0.65)
    return f"did you mean {close[0]}?" if close and close[0] != found.upper() else None


def _words(expected: frozenset[str], parser: Parser) -> set[str]:
    """The keywords among the expected terminals, each in upper case."""
    patterns = (
        parser.terminals[terminal].split("(?!")[0] for terminal in expected if terminal not in _KINDS and terminal in parser.terminals
    )
    return {word.upper() for pattern in patterns for word in _KEYWORD.findall(pattern.replace("(?i:", "(")) if len(word) > 1}


def _readable(expected: frozenset[str], parser: Parser) -> tuple[str, ...]:
    kinds: set[str] = set()
    keywords: set[str] = set()
    for terminal in expected:
        kind = _KINDS.get(terminal) or next((k for prefix, k in _KIND_PREFIXES.items() if terminal.startswith(prefix)), None)
        words = _words(frozenset((terminal,)), parser)
        if kind is not None:
            kinds.add(kind)
        elif not words:
            kinds.add(f"'{parser.terminals[terminal].replace(chr(92), '')}'")
        elif terminal.endswith("FUNCTION") or terminal in ("BOUND", "BNODE", "REPLACE", "SUBSTR_OR_REGEX", "COUNT", "GROUP_CONCAT"):
            kinds.add(_FUNCTIONS)
        else:
            keywords.add(" / ".join(sorted(words)))
    closing = sorted(kinds & {"'}'", "')'", "']'"})
    listed = [*closing, *sorted(keywords), *sorted(kinds - set(closing), key=lambda k: (k.startswith("'"), k))]
    return tuple(listed) if len(listed) <= _LONGEST_LIST else (*listed[:_LONGEST_LIST], f"{len(listed) - _LONGEST_LIST} more")


def _error(message: str, source: Source, at: int, *, expected: tuple[str, ...] = (), hint: str | None = None) -> QuerySyntaxError:
    text, offset = source.original, source.offset(at)
    # A text that ends too early is shown at the end of its last line with anything on it.
    if offset >= len(text):
        offset = len(text.rstrip())
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line_end = next((i for i in range(offset, len(text)) if text[i] in "\r\n"), len(text))
    line = len(re.findall(r"\r\n|\r|\n", text[:line_start])) + 1
    return QuerySyntaxError(
        message, line=line, column=offset - line_start + 1, source_line=text[line_start:line_end], expected=expected, hint=hint
    )
