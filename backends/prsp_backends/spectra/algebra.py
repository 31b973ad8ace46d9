"""From SPARQL text to rdflib's algebra, keeping every lexical form as written."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import rdflib
from rdflib.plugins.sparql import algebra as rdflib_algebra
from rdflib.plugins.sparql import parser as rdflib_parser
from rdflib.plugins.sparql.parserutils import Comp, CompValue, ParamValue

from prsp.errors import EngineError

_LOCK = threading.Lock()


def read_query(text: str) -> tuple[Any, Any, str]:
    """The parse tree, the algebra and the base IRI of a query; EngineError when rdflib cannot read it."""
    try:
        with _LOCK, _as_written():
            tree = rdflib_parser.parseQuery(text)
            tree[1] = rdflib_algebra.traverse(tree[1], visitPost=_never_falsy)
            query = rdflib_algebra.translateQuery(tree)
    except Exception as error:  # pyparsing and rdflib raise many kinds, plain Exception among them
        raise EngineError(f"spectra could not read the query: {error}") from error
    return tree[1], query.algebra, str(query.prologue.base or "")


def translate_group(graph: Any) -> Any:
    """The algebra of a group that rdflib left as a parse tree: that of EXISTS outside WHERE."""
    if graph.name not in ("GroupGraphPatternSub", "SubSelect"):
        return graph
    graph = rdflib_algebra.traverse(graph, visitPost=rdflib_algebra.translatePath)
    return rdflib_algebra.traverse(rdflib_algebra.translateGroupGraphPattern(graph), visitPost=rdflib_algebra.simplify)


def _never_falsy(part: Any) -> Any:
    """Filters in an expression of their own: rdflib takes a falsy one, such as ``FILTER(false)``, for no filter."""
    if isinstance(part, CompValue) and part.name == "Filter":
        part["expr"] = CompValue("ConditionalAndExpression", expr=part.expr, other=[])


@contextmanager
def _as_written() -> Iterator[None]:
    """Rdflib for a moment without its changes to what was written.

    It normalises numbers (``01`` becomes ``1``, and ``-1.50`` fails), drops the sign of ``+1.5``, loses the IRI of ``^p``
    inside a negated property set, turns tabs in literals into blanks, and logs a traceback for every ill-formed literal. Its
    parser is shared by all users, so what is changed is put back.
    """
    signed = {
        rdflib_parser.INTEGER_NEGATIVE: "-",
        rdflib_parser.DECIMAL_NEGATIVE: "-",
        rdflib_parser.DOUBLE_NEGATIVE: "-",
        rdflib_parser.DECIMAL_POSITIVE: "+",
        rdflib_parser.DOUBLE_POSITIVE: "+",
    }
    choices: Any = rdflib_parser.PathOneInPropertySet
    inverse = next(e for e in choices.exprs if isinstance(e, Comp) and e.name == "InversePath").expr
    changed = [*signed, inverse]
    actions = [list(element.parseAction) for element in changed]
    normalize = rdflib.NORMALIZE_LITERALS
    rdflib.NORMALIZE_LITERALS = False
    log = logging.getLogger("rdflib.term")
    muted, log.disabled = log.disabled, True
    grammar: Any = rdflib_parser.Query
    tabs, grammar.keepTabs = grammar.keepTabs, True
    try:
        for element, sign in signed.items():
            element.set_parse_action(_signed(sign))
        inverse.set_parse_action(lambda found: ParamValue("part", [found[1]], False))
        yield
    finally:
        rdflib.NORMALIZE_LITERALS = normalize
        log.disabled = muted
        grammar.keepTabs = tabs
        for element, action in zip(changed, actions, strict=True):
            element.parseAction = action


def _signed(sign: str) -> Callable[[Any], rdflib.Literal]:
    return lambda found: rdflib.Literal(sign + str(found[0]), datatype=found[0].datatype)
