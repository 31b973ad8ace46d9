"""The functions on strings."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from urllib.parse import quote

from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.node import BLANK, IRI, IS_INTEGER, LANG_STRING, LITERAL, STRING, Node, number_node, string

_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE, "x": re.VERBOSE}
_UNRESERVED = "-_.~"


def text_of(node: Node) -> str:
    """The text of a string with or without language; an error for anything else."""
    if node.kind != LITERAL or (node.datatype != STRING and not node.language):
        raise ExpressionError
    return node.lexical


def simple_text(node: Node) -> str:
    """The text of a string without language; an error for anything else."""
    if node.kind != LITERAL or node.datatype != STRING:
        raise ExpressionError
    return node.lexical


def like(node: Node, text: str) -> Node:
    """A string with the language of another."""
    return Node(LITERAL, text, LANG_STRING, node.language) if node.language else string(text)


def str_of(node: Node) -> Node:
    """STR; an error for blank nodes."""
    if node.kind == BLANK:
        raise ExpressionError
    return string(node.lexical)


def _compatible(left: Node, right: Node) -> tuple[str, str]:
    one, two = text_of(left), text_of(right)
    if right.language and right.language != left.language:
        raise ExpressionError
    return one, two


def contains(left: Node, right: Node) -> bool:
    """CONTAINS."""
    one, two = _compatible(left, right)
    return two in one


def starts(left: Node, right: Node) -> bool:
    """STRSTARTS."""
    one, two = _compatible(left, right)
    return one.startswith(two)


def ends(left: Node, right: Node) -> bool:
    """STRENDS."""
    one, two = _compatible(left, right)
    return one.endswith(two)


def before(left: Node, right: Node) -> Node:
    """STRBEFORE."""
    one, two = _compatible(left, right)
    head, found, _ = one.partition(two) if two else ("", "found", one)
    return like(left, head) if found else string("")


def after(left: Node, right: Node) -> Node:
    """STRAFTER."""
    one, two = _compatible(left, right)
    _, found, tail = one.partition(two) if two else ("", "found", one)
    return like(left, tail) if found else string("")


def length(node: Node) -> Node:
    """STRLEN."""
    return number_node(len(text_of(node)), IS_INTEGER)


def substring(node: Node, start: Node, size: Node | None) -> Node:
    """SUBSTR, counting characters from 1; an error for positions that are no integers."""
    text = text_of(node)
    if not start.rank or (size is not None and not size.rank):
        raise ExpressionError
    if start.rank != IS_INTEGER or (size is not None and size.rank != IS_INTEGER):
        raise ExpressionError
    first = int(start.number)
    last = len(text) + 1 if size is None else first + int(size.number)
    return like(node, text[max(first, 1) - 1 : max(last, 1) - 1])


def concat(nodes: list[Node]) -> Node:
    """CONCAT, with a language when all parts have the same."""
    text = "".join(text_of(node) for node in nodes)
    languages = {node.language for node in nodes}
    return Node(LITERAL, text, LANG_STRING, languages.pop()) if len(languages) == 1 and "" not in languages else string(text)


@lru_cache(maxsize=512)
def pattern_of(pattern: str, flags: str) -> re.Pattern[str]:
    """A compiled regular expression; an error when it is not one."""
    options = re.NOFLAG
    for flag in flags:
        if flag == "q":
            pattern = re.escape(pattern)
        elif flag in _FLAGS:
            options |= _FLAGS[flag]
        else:
            raise ExpressionError
    try:
        return re.compile(pattern, options)
    except re.error as error:
        raise ExpressionError from error


def matches(node: Node, pattern: Node, flags: Node | None) -> bool:
    """REGEX."""
    return pattern_of(simple_text(pattern), simple_text(flags) if flags else "").search(text_of(node)) is not None


def replace(node: Node, pattern: Node, replacement: Node, flags: Node | None) -> Node:
    """REPLACE with ``$1`` for groups; an error when the pattern matches the empty string."""
    compiled = pattern_of(simple_text(pattern), simple_text(flags) if flags else "")
    text, template = text_of(node), simple_text(replacement)
    if compiled.search("") is not None:
        raise ExpressionError
    return like(node, compiled.sub(lambda match: _expand(match, template), text))


def _expand(match: re.Match[str], template: str) -> str:
    def group(found: re.Match[str]) -> str:
        if found.group(1) is None:
            return found.group(2)
        number = int(found.group(1))
        return (match.group(number) or "") if number <= (match.re.groups or 0) else ""

    return re.sub(r"\$([0-9])|\\(.)", group, template)


def encode_uri(node: Node) -> Node:
    """ENCODE_FOR_URI."""
    return string(quote(text_of(node), safe=_UNRESERVED))


def lang_matches(tag: Node, wanted: Node) -> bool:
    """LANGMATCHES: basic filtering, as in RFC 4647."""
    language, pattern = simple_text(tag).lower(), simple_text(wanted).lower()
    if pattern == "*":
        return language != ""
    return language == pattern or language.startswith(pattern + "-")


def digest(node: Node, name: str) -> Node:
    """MD5, SHA1, SHA256, SHA384 or SHA512."""
    return string(hashlib.new(name, simple_text(node).encode(), usedforsecurity=False).hexdigest())


def lang_of(node: Node) -> Node:
    """LANG; an error for anything but a literal."""
    if node.kind != LITERAL:
        raise ExpressionError
    return string(node.language)


def datatype_of(node: Node) -> Node:
    """DATATYPE; an error for anything but a literal."""
    if node.kind != LITERAL:
        raise ExpressionError
    return Node(IRI, node.datatype)
