"""A query as a tree that can be printed and cut: each node is a template with a hole per part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum


class Kind(Enum):
    """What a node is, which says how it may be cut."""

    LEAF = "leaf"
    EXPRESSION = "expression"
    """May be replaced by any expression inside it."""
    LIST = "list"
    """Its parts may be left out one by one."""
    BRANCHES = "branches"
    """May be replaced by one of its parts."""
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of query text. ``form`` has one ``@`` per part, or is the text between them when the node is a list."""

    kind: Kind
    form: str
    parts: tuple[Node, ...] = ()
    around: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        if self.kind in (Kind.LIST, Kind.BRANCHES):
            return self.around[0] + self.form.join(map(str, self.parts)) + self.around[1]
        if not self.parts:
            return self.form
        pieces = self.form.split("@")
        return pieces[0] + "".join(f"{part}{piece}" for part, piece in zip(self.parts, pieces[1:], strict=True))


def leaf(text: str) -> Node:
    """A piece without parts."""
    return Node(Kind.LEAF, text)


def expression(form: str, *parts: Node) -> Node:
    """An expression of expressions."""
    return Node(Kind.EXPRESSION, form, parts)


def fixed(form: str, *parts: Node) -> Node:
    """A construct whose parts all stay, though each may become smaller."""
    return Node(Kind.FIXED, form, parts)


def group(*parts: Node) -> Node:
    """A group graph pattern."""
    return Node(Kind.LIST, " ", parts, _BRACES)


def several(between: str, *parts: Node) -> Node:
    """A list whose members are not needed one by one."""
    return Node(Kind.LIST, between, parts)


def union(*branches: Node) -> Node:
    """Alternatives."""
    return Node(Kind.BRANCHES, " UNION ", branches)


def smaller(node: Node) -> Iterator[Node]:
    """Every tree that is this one with a single cut, large cuts first."""
    if node.kind is Kind.LIST:
        if len(node.parts) > 2:
            yield replace(node, parts=node.parts[: len(node.parts) // 2])
            yield replace(node, parts=node.parts[len(node.parts) // 2 :])
        for index in range(len(node.parts)):
            yield replace(node, parts=node.parts[:index] + node.parts[index + 1 :])
        for index, part in enumerate(node.parts):
            yield from (replace(node, parts=(*node.parts[:index], *inner, *node.parts[index + 1 :])) for inner in _opened(node, part))
    if node.kind is Kind.BRANCHES:
        yield from node.parts
        if len(node.parts) > 2:
            yield from (replace(node, parts=node.parts[:index] + node.parts[index + 1 :]) for index in range(len(node.parts)))
    if node.kind is Kind.FIXED and node.form.startswith(_DUPLICATES):
        yield replace(node, form=_plain(node.form))
    if node.kind is Kind.EXPRESSION:
        yield from (part for part in node.parts if part.kind in (Kind.EXPRESSION, Kind.LEAF))
    for index, part in enumerate(node.parts):
        for cut in smaller(part):
            yield replace(node, parts=(*node.parts[:index], cut, *node.parts[index + 1 :]))


_DUPLICATES = ("SELECT DISTINCT ", "SELECT REDUCED ", "{ SELECT DISTINCT ")


def _plain(form: str) -> str:
    return form.replace("DISTINCT ", "", 1).replace("REDUCED ", "", 1)


def _opened(whole: Node, part: Node) -> Iterator[tuple[Node, ...]]:
    """What a part of a group may be replaced by: the patterns of a group, an OPTIONAL, a GRAPH, a subquery or one alternative."""
    if whole.around != _BRACES:
        return
    inside = part.parts if part.kind in (Kind.FIXED, Kind.BRANCHES) else (part,)
    yield from (group.parts for group in inside if group.kind is Kind.LIST and group.around == _BRACES)


_BRACES = ("{ ", " }")
