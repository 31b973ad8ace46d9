"""The concrete syntax tree of a SPARQL text: every token with its place, for what changes the text and not its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lark import Lark, Token, Tree

from prsp.parse.grammar import SPARQL, open_grammar

Node = Tree[Token] | Token
Scope = dict[str, bool]
"""The variables a pattern makes visible, in the order of the text, and whether every solution of it binds them."""

_VARIABLES = ("VAR1", "VAR2")


@cache
def _lark() -> Lark:
    return open_grammar(
        SPARQL,
        "concrete.tables",
        {"parser": "lalr", "start": SPARQL.start, "keep_all_tokens": True, "maybe_placeholders": False},
    )


def read(text: str) -> Tree[Token]:
    """The tree of a text that is known to be SPARQL: a rule's or alias' name is the node's, its tokens all stand in it."""
    return _lark().parse(text)


def tokens(node: Node) -> list[Token]:
    """The tokens of a node, in order."""
    return [node] if isinstance(node, Token) else [token for child in node.children for token in tokens(child)]


def begin(node: Node) -> int:
    """Where the node's text begins."""
    return tokens(node)[0].start_pos or 0


def end(node: Node) -> int:
    """Where the node's text has ended."""
    return tokens(node)[-1].end_pos or 0


def parts(node: Node, *names: str) -> list[Tree[Token]]:
    """The children that have one of these names."""
    return [child for child in node.children if isinstance(child, Tree) and child.data in names] if isinstance(node, Tree) else []


def below(node: Node, *names: str) -> Iterator[Tree[Token]]:
    """The node itself and everything below it that has one of these names, in the order of the text."""
    if isinstance(node, Tree):
        if node.data in names:
            yield node
        for child in node.children:
            yield from below(child, *names)


def variables(node: Node) -> dict[str, None]:
    """The names of the variables a node mentions."""
    return {token[1:]: None for token in tokens(node) if token.type in _VARIABLES}


def alias(item: Node) -> str:
    """The variable behind AS: the last one that is mentioned."""
    return [token[1:] for token in tokens(item) if token.type in _VARIABLES][-1]


def scope(pattern: Node) -> Scope:
    """What is visible outside a pattern (the table of section 18.2.1), read off its text."""
    if isinstance(pattern, Token):
        return {}
    match pattern.data:
        case "triples_block" | "var":
            return dict.fromkeys(variables(pattern), True)
        case "group" | "graph_graph_pattern":
            return joined(pattern.children)
        case "group_or_union_graph_pattern":
            branches = [scope(branch) for branch in pattern.children if isinstance(branch, Tree)]
            return {name: all(branch.get(name, False) for branch in branches) for branch in branches for name in branch}
        case "optional_graph_pattern" | "service_graph_pattern":
            return dict.fromkeys(joined(pattern.children), False)
        case "bind":
            return dict.fromkeys(variables(pattern.children[-2]), False)
        case "inline_data" | "values_clause":
            return dict.fromkeys(variables(pattern), not any(below(pattern, "undef")))
        case "group_of_select":
            return _selected(pattern.children[1])
        case _:
            return {}


def joined(patterns: list[Node]) -> Scope:
    """What is visible where patterns stand together."""
    found: Scope = {}
    for pattern in patterns:
        for name, certain in scope(pattern).items():
            found[name] = found.get(name, False) or certain
    return found


def where(query: Node) -> Tree[Token] | None:
    """The group of a query's WHERE; None for a DESCRIBE without one, and for CONSTRUCT WHERE, whose pattern is its template."""
    found = parts(query, "where_clause")
    return parts(found[0], "group", "group_of_select")[0] if found else None


def _selected(query: Node) -> Scope:
    group = where(query)
    assert group is not None, "a subquery has a WHERE"
    inside = joined([group, *parts(query, "values_clause")])
    (head,) = parts(query, "select_clause")
    if parts(head, "select_all"):
        return inside
    found: Scope = {}
    for item in parts(head, "selection")[0].children:
        # What is computed may fail; a grouped variable is as certain as in its group.
        name = alias(item)
        found[name] = inside.get(name, False) and isinstance(item, Tree) and item.data == "var"
    return found
