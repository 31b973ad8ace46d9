"""f:timestamp for engines without such a function: each call becomes a variable, looked up in a graph of times.

That graph has a node for each triple of the windows, with its subject, predicate, object and largest time. A lookup is an OPTIONAL
that stands where the call's arguments are known: for a triple without a time the variable stays unbound, which is an error in every
expression, as the call would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from lark import Token, Tree

from prsp.model.query import TIMES, TIMES_AT, TIMES_OF
from prsp.parse.build.terms import TermBuilder
from prsp.parse.concrete import Node, Scope, alias, begin, below, end, joined, parts, read, scope, tokens, variables, where
from prsp.parse.escapes import Source
from prsp.parse.features import TIMESTAMP_FUNCTION
from prsp.parse.iri import is_absolute
from prsp.parse.rho import rho

_NO_VALUE = "<urn:prsp:no-value>"
"""What an argument without a value is looked up as: it is in no triple, where an unbound variable would match every one."""
_GROUPS = ("group", "group_of_select")
_AGGREGATES = ("count", "aggregate", "group_concat")
_CONSTANTS = ("iriref", "prefixed_name", "rdf_literal", "number", "signed_number", "boolean_literal")
_FORMS = ("select_query", "construct_query", "construct_where", "describe_query", "ask_query")
_IN = {"filter": "({})", "having_clause": "({})", "group_as": "COALESCE({})"}
"""What has to be around a variable where a call needs nothing; Oxigraph does not take GROUP BY (?v AS ?w)."""


class Untimeable(Exception):
    """A call that no lookup can stand for; the text says why, and what to write instead."""


def timed(sparql: str) -> tuple[str, frozenset[str]]:
    """A SPARQL text with its calls of f:timestamp looked up in the graph of times, every line where it was.

    With it, the predicates that are asked about; none where that may be any.
    """
    source = Source(sparql)
    source.replace_escapes()
    if TIMES in source.text:
        raise Untimeable(f"the query mentions {TIMES}, a name that prsp needs for itself")
    text, done, rewriter = [], 0, _Rewriter(source.text)
    try:
        changes = rewriter.changes()
    except RecursionError:
        raise Untimeable("the query is nested too deeply") from None
    for start, stop, new in changes:
        text += [source.original[done : source.offset(start)], new]
        done = source.offset(stop)
    asked = rewriter.predicates
    return "".join([*text, source.original[done:]]), frozenset() if None in asked else frozenset(filter(None, asked))


Change = tuple[int, int, str]
"""Where something stands, and what is to stand there."""
Names = frozenset[str]


@dataclass(eq=False, slots=True)
class _Spot:
    """Where lookups can be put: the end of a group, or before one of its elements."""

    at: int
    scope: Scope
    row: Names | None = None
    """In EXISTS, the variables that have a value in every row it is asked of: in it, they are terms."""
    beyond: _Spot | None = None
    """The spot whose solutions a filter here sees too: before the OPTIONAL, or around the EXISTS, whose group this ends."""
    of_optional: bool = False
    braces_from: int | None = None
    """Where the group begins if it is a subquery, which has to become a group in it first."""
    lookups: list[str] = field(default_factory=list)
    known: dict[tuple[str, ...], str] = field(default_factory=dict)
    """The variables looked up here, by what they are asked about."""

    def rows(self) -> Names:
        """What has a value in every row that an EXISTS in a filter here is asked of."""
        seen = [self.scope, self.beyond.scope] if self.of_optional and self.beyond is not None else [self.scope]
        return frozenset(name for scope in seen for name, certain in scope.items() if certain) | (self.row or frozenset())

    def look_up(self, variable: str, arguments: list[tuple[Tree[Token], str]]) -> None:
        """Add the lookup that gives a variable its value; arguments come with their text."""
        keys, terms = [], []
        for place, (argument, text) in zip("spo", arguments, strict=True):
            constant = argument.data in _CONSTANTS
            if constant or (argument.data == "var" and (self.scope.get(text[1:]) or text[1:] in (self.row or ()))):
                terms.append(text)
            else:
                terms.append(f"{variable}_{place}")
                self.lookups.append(f"BIND(COALESCE({text}, {_NO_VALUE}) AS {terms[-1]})")
            keys += [] if constant else [terms[-1]]
        if self.row is not None:
            # A subquery in EXISTS would have to group by the terms of the row, and how often there is a solution does not matter.
            self.lookups.append(f"OPTIONAL {{ {_entry(terms, variable)} }}")
            return
        if not keys:
            keys = [f"{variable}_s"]
            self.lookups.append(f"BIND({terms[0]} AS {keys[0]})")
            terms[0] = keys[0]
        by = " ".join(dict.fromkeys(keys))
        # An engine that takes two spellings of a number for one has two entries for one triple.
        found = f"SELECT {by} (MAX({variable}_at) AS {variable}) {{ {_entry(terms, f'{variable}_at')} }} GROUP BY {by}"
        self.lookups.append(f"OPTIONAL {{ {found} }}")


def _entry(terms: list[str], time: str) -> str:
    of = " ; ".join(f"<{name}> {term}" for name, term in zip((*TIMES_OF, TIMES_AT), (*terms, time), strict=True))
    return f"GRAPH <{TIMES}> {{ [] {of} }}"


@dataclass(frozen=True, slots=True)
class _Level:
    """What an expression outside WHERE may be asked about that a lookup in WHERE cannot be."""

    computed: frozenset[str]
    grouped: bool = False
    keys: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    """What may get its value only from VALUES behind the query."""
    new_keys: dict[str, None] = field(default_factory=dict)
    """Lookups to group by: their values depend on the keys alone, so the groups stay the same."""


class _Rewriter:
    """Walks a text group by group and notes what is to change."""

    def __init__(self, text: str) -> None:
        self._text, self._tree = text, read(text)
        self._names = TermBuilder()
        for declaration in below(self._tree, "base_decl", "prefix_decl"):
            getattr(self._names, declaration.data)(*tokens(declaration)[1:])
        self._prefix = "?prsp"
        while any(name.startswith(self._prefix[1:]) for name in variables(self._tree)):
            self._prefix += "_"
        self._count = 0
        self._spots: list[_Spot] = []
        self._changes: list[Change] = []
        self.predicates: set[str | None] = set()
        """What is asked about; None where that is known only when it is asked."""

    def changes(self) -> list[Change]:
        """What is to change, in the order of the text."""
        for body in below(self._tree, "query_body"):
            self._query(parts(body, *_FORMS)[0], parts(body, "values_clause"), None)
        # Where a GRAPH ends and a lookup begins, the GRAPH has to end first.
        changes = [*self._graphs(), *self._stars(), *self._changes, *chain.from_iterable(map(_filled, self._spots))]
        return sorted(changes, key=lambda change: change[0])

    # queries and groups

    def _query(self, query: Node, values: list[Tree[Token]], row: Names | None) -> None:
        group = where(query)
        spot = None if group is None else self._group(group, row)
        visible = {} if spot is None else spot.scope
        (modifiers,) = parts(query, "solution_modifier")
        outside = [*parts(query, "select_clause"), *parts(modifiers, "having_clause", "order_clause")]
        groupings = parts(modifiers, "group_clause")
        level = _Level(
            frozenset(alias(item) for place in outside for item in below(place, "select_expression")),
            bool(groupings) or any(map(_aggregates, outside)),
            frozenset(name for grouping in groupings for key in parts(grouping, "var") for name in variables(key)),
            frozenset(name for name in joined([*values]) if not visible.get(name)),
        )
        for place in outside:
            self._expression(place, spot, level)
        for grouping in groupings:
            aliases = frozenset(alias(key) for key in parts(grouping, "group_as"))
            self._expression(grouping, spot, _Level(aliases - visible.keys()))
            self._changes += [(end(grouping), end(grouping), f" {variable}") for variable in level.new_keys]

    def _group(self, group: Tree[Token], row: Names | None, *, beyond: _Spot | None = None, of_optional: bool = False) -> _Spot:
        """Deal with a group; the spot at its end, where what its filters ask about is looked up."""
        spot = _Spot(begin(group.children[-1]), scope(group), row, beyond, of_optional)
        self._spots.append(spot)
        if group.data == "group_of_select":
            spot.braces_from = end(group.children[0])
            # Of the row's variables, a subquery in EXISTS has only those that it selects.
            self._query(group.children[1], parts(group.children[1], "values_clause"), row and row & spot.scope.keys())
            return spot
        for number, element in enumerate(group.children):
            if isinstance(element, Tree):
                self._element(element, group.children[:number], spot)
        return spot

    def _element(self, element: Tree[Token], before: list[Node], spot: _Spot) -> None:
        match element.data:
            case "filter":
                self._expression(element, spot, None)
            case "bind":
                self._expression(element, self._before(element, before, spot), None)
            case "optional_graph_pattern":
                here = self._before(element, before, spot)
                self._group(parts(element, *_GROUPS)[0], spot.row, beyond=here, of_optional=True)
            case "group" | "group_of_select":
                self._group(element, spot.row)
            case _:
                for group in parts(element, *_GROUPS):
                    self._group(group, spot.row)

    def _before(self, element: Node, before: list[Node], spot: _Spot) -> _Spot:
        here = _Spot(begin(element), joined(before), spot.row)
        self._spots.append(here)
        return here

    # expressions

    def _expression(self, node: Node, spot: _Spot | None, level: _Level | None) -> None:
        if isinstance(node, Token):
            return
        if node.data in ("exists_func", "not_exists_func"):
            row = frozenset[str]() if spot is None or (level is not None and level.grouped) else spot.rows()
            self._group(parts(node, *_GROUPS)[0], row, beyond=spot if level is None else None)
            return
        if node.data in _AGGREGATES:
            level = None  # what is aggregated is asked about the pattern
        for child in node.children:
            if isinstance(child, Tree) and self._is_call(child):
                self._replace(child, _IN.get(node.data, "{}").format(self._asked(child, spot, level)))
            else:
                self._expression(child, spot, level)

    def _is_call(self, node: Tree[Token]) -> bool:
        if node.data not in ("function_call", "iri_or_function") or len(node.children) == 1:
            return False
        return self._names.named(tokens(node.children[0])[0]) == TIMESTAMP_FUNCTION

    def _asked(self, call: Tree[Token], spot: _Spot | None, level: _Level | None) -> str:
        """The variable with a call's value, looked up where the call's arguments are known."""
        if level is not None:
            self._check(call, level)
        if spot is None:
            raise self._refused(call, "there is no WHERE { … } to look it up in: write it out")
        variable = self._variable(call, self._settled(call, spot))
        if level is not None and level.grouped:
            level.new_keys[variable] = None
        return variable

    def _variable(self, call: Tree[Token], spot: _Spot) -> str:
        arguments = [_bare(child) for child in parts(call, "arguments", "no_arguments")[0].children if isinstance(child, Tree)]
        if len(arguments) != len(TIMES_OF) or any(token.type == "DISTINCT" for token in tokens(call)):
            raise self._refused(call, "it takes a subject, a predicate and an object")
        if any(below(call, "exists_func", "not_exists_func")):
            raise self._refused(call, "EXISTS cannot stand in its arguments: give it a name with BIND")
        about = tuple(self._written(argument, spot) for argument in arguments)
        if about not in spot.known:
            self._count += 1
            spot.known[about] = f"{self._prefix}{self._count}"
            spot.look_up(spot.known[about], list(zip(arguments, about, strict=True)))
            self.predicates.add(self._iri(arguments[1]))
        return spot.known[about]

    def _iri(self, argument: Tree[Token]) -> str | None:
        if argument.data not in ("iriref", "prefixed_name"):
            return None
        iri = self._names.named(tokens(argument)[0])
        return iri if is_absolute(iri) else None

    def _written(self, argument: Tree[Token], spot: _Spot) -> str:
        """An argument's text on one line, with calls in it looked up before."""
        text, last = "", None
        for piece in self._pieces(argument):
            apart = last is not None and begin(piece) > end(last)
            text += " " * apart + (self._variable(piece, spot) if isinstance(piece, Tree) else piece)
            last = piece
        return "?" + text[1:] if argument.data == "var" else text

    def _pieces(self, node: Node) -> Iterator[Node]:
        if isinstance(node, Token) or self._is_call(node):
            yield node
        else:
            for child in node.children:
                yield from self._pieces(child)

    def _settled(self, call: Node, spot: _Spot) -> _Spot:
        """The spot to look a call up: beyond an OPTIONAL or EXISTS when its group adds nothing to what the call is asked about."""
        names = variables(call)
        while spot.beyond is not None and all(spot.beyond.scope.get(name) or name not in spot.scope for name in names):
            spot = spot.beyond
        if spot.of_optional and spot.beyond is not None:
            for name in names:
                if name in spot.beyond.scope and not spot.scope.get(name):
                    raise self._refused(
                        call,
                        f"in this FILTER of an OPTIONAL it is asked about ?{name} from outside together with something from inside: "
                        f"repeat the pattern of ?{name} inside",
                    )
        return spot

    def _check(self, call: Tree[Token], level: _Level) -> None:
        names = variables(call)
        for name in names:
            if name in level.computed:
                raise self._refused(call, f"?{name} is computed outside WHERE: compute it with BIND")
            if name in level.late and (not level.grouped or name in level.keys):
                raise self._refused(call, f"?{name} is given by VALUES behind the query: move VALUES into WHERE")
        if level.grouped and (not level.keys or any(below(call, *_AGGREGATES)) or not level.keys.issuperset(names)):
            raise self._refused(call, "beside GROUP BY or aggregates it can be asked about grouped variables only, unless it is aggregated")

    def _refused(self, call: Node, why: str) -> Untimeable:
        return Untimeable(f"line {tokens(call)[0].line}: {why}")

    def _replace(self, call: Node, new: str) -> None:
        start, stop = begin(call), end(call)
        room = rho(self._text[start:stop], [(0, stop - start)])
        self._changes.append((start, stop, new + (room[len(new) :] if room.startswith(" " * len(new)) else room)))

    # what the rest of the query must not see

    def _graphs(self) -> Iterator[Change]:
        """The graph of times kept out of GRAPH ?g."""
        for graph in below(self._tree, "graph_graph_pattern"):
            for name in parts(graph, "var"):
                yield end(graph), end(graph), f" FILTER({tokens(name)[0]} != <{TIMES}>) }}"
                yield begin(graph), begin(graph), "{ "

    def _stars(self) -> Iterator[Change]:
        """The lookups' variables kept out of every ``*``."""
        for count in below(self._tree, "count"):
            if parts(count, "count_all") and any(token.type == "DISTINCT" for token in tokens(count)):
                raise self._refused(count, "COUNT(DISTINCT *) would count its lookups: name what is to be counted")
        for body in below(self._tree, "query_body", "sub_select"):
            query = (parts(body, *_FORMS) or [body])[0]
            for star in chain(parts(query, "select_all"), *(parts(head, "select_all") for head in parts(query, "select_clause"))):
                names = joined([*filter(None, [where(query)]), *parts(body, "values_clause")])
                if not names:
                    raise self._refused(star, "* stands for no variable here: name one")
                yield begin(star), end(star), " ".join(f"?{name}" for name in names)


def _filled(spot: _Spot) -> Iterator[Change]:
    if spot.lookups:
        if spot.braces_from is not None:
            yield spot.braces_from, spot.braces_from, " {"
            yield spot.at, spot.at, "}"
        yield spot.at, spot.at, f" {' '.join(spot.lookups)} "


def _bare(expression: Tree[Token]) -> Tree[Token]:
    """The expression without brackets around it."""
    while expression.data == "bracketted_expression" or (expression.data == "iri_or_function" and len(expression.children) == 1):
        (inner,) = (child for child in expression.children if isinstance(child, Tree))
        expression = inner
    return expression


def _aggregates(node: Node) -> bool:
    if isinstance(node, Token) or node.data in _GROUPS:
        return False
    return node.data in _AGGREGATES or any(map(_aggregates, node.children))
