"""Loads a grammar file into a parser, once per process, with its tables cached on disk."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, TerminalDef

from prsp._version import __version__
from prsp.parse.build import ContinuousQueryBuilder, QueryBuilder
from prsp.parse.syntax import Query

_KEYWORDS = re.compile(r"[\w|()?:]*[A-Za-z][\w|()?:]*")
_NOT_PART_OF_A_WORD = "(?![A-Za-z0-9_])"
_IMPORTED = re.compile(r"[a-z]+__")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A query language: its grammar file, where it starts, and what builds its tree."""

    grammar: str
    start: str
    builder: type[QueryBuilder]


SPARQL = Dialect("sparql.lark", "query", QueryBuilder)
CSPARQL = Dialect("csparql.lark", "continuous_query", ContinuousQueryBuilder)


class Unparsable(Exception):
    """The text leaves the grammar at ``at``; ``expected`` are the terminals that could stand there, by name."""

    def __init__(self, at: int, expected: frozenset[str]) -> None:
        super().__init__(at)
        self.at = at
        self.expected = expected


class Parser:
    """Parses one dialect. The tree's builder has a prologue to remember, so one text is parsed at a time."""

    def __init__(self, dialect: Dialect) -> None:
        self._builder = dialect.builder()
        self._lock = threading.Lock()
        # Typeshed-style stubs of lark leave these options untyped.
        options: dict[str, Any] = {
            "parser": "lalr",
            "start": dialect.start,
            "maybe_placeholders": True,
            "transformer": _Callbacks(self._builder),
        }
        self._lark = open_grammar(dialect, "tables", options)
        self.terminals: Mapping[str, str] = {plain_name(t.name): t.pattern.value for t in self._lark.terminals}
        """Each terminal's pattern, by its name in the grammar file."""

    def parse(self, text: str, base: str | None = None) -> tuple[Query, list[Token]]:
        """The tree, and the IRIs in the text that stayed relative for want of a base; or Unparsable, or SyntaxProblem."""
        with self._lock:
            self._builder.begin(base)
            try:
                tree = self._lark.parse(text)
            except UnexpectedInput as error:
                raise _unparsable(error, text, self.terminals) from None
            # Lark types what a parser gives back as its own tree; with a builder in it, it is what the start rule builds.
            return cast(Query, tree), self._builder.relative


@cache
def load(dialect: Dialect) -> Parser:
    """The parser of a dialect."""
    return Parser(dialect)


def open_grammar(dialect: Dialect, tables: str, options: dict[str, Any]) -> Lark:
    """Lark on a dialect's grammar file, its tables cached in a file of that ending where the disk lets us."""
    path = str(Path(str(files("prsp_grammar"))) / dialect.grammar)
    options = {**options, "edit_terminals": _end_keywords_at_word_ends}
    try:
        return Lark.open(path, **options, cache=_cache_file(dialect, tables) or False)
    except OSError:
        return Lark.open(path, **options)


def plain_name(name: str) -> str:
    """A rule's or terminal's name in its own file; Lark prefixes what another grammar imports."""
    return _IMPORTED.sub("", name, count=1)


class _Callbacks:
    """Hands each reduced rule to the builder's method of that name."""

    def __init__(self, builder: QueryBuilder) -> None:
        self._builder = builder

    def __getattr__(self, name: str) -> Callable[[list[Any]], Any]:
        method = getattr(self._builder, plain_name(name))
        return lambda children: method(*children)


def _end_keywords_at_word_ends(terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    if _KEYWORDS.fullmatch(pattern):
        terminal.pattern = PatternRE(f"(?:{pattern}){_NOT_PART_OF_A_WORD}", terminal.pattern.flags)


def _cache_file(dialect: Dialect, tables: str) -> str | None:
    try:
        root = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "prsp"
        root.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # a read-only disk, or a user without a home
        return None
    return str(root / f"{dialect.grammar}-{__version__}.{tables}")


def _unparsable(error: UnexpectedInput, text: str, terminals: Mapping[str, str]) -> Unparsable:
    at = error.pos_in_stream
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        at = len(text)
    return Unparsable(len(text) if at is None else at, frozenset(_acceptable(error.state, terminals)))


def _acceptable(state: Any, terminals: Mapping[str, str]) -> set[str]:
    """The terminals the parser would really shift next: the table alone lists some that a later reduction refuses."""
    dry = state.copy(deepcopy_values=False)
    dry.parse_conf = copy(state.parse_conf)
    dry.parse_conf.callbacks = {}
    found: set[str] = set()
    for name in dry.parse_conf.states[dry.position]:
        if plain_name(name) in terminals or name == "$END":
            try:
                dry.copy(deepcopy_values=False).feed_token(Token(name, ""), name == "$END")
            except UnexpectedToken:
                continue
            found.add(plain_name(name))
    return found
