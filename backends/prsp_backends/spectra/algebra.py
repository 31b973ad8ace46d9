"""From SPARQL text to rdflib's algebra, keeping every lexical form as written."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import rdflib
from rdflib.plugins.sparql import algebra as rdflib_algebra
from rdflib.plugins.sparql import parser as rdflib_parser
from rdflib.plugins.sparql.parserutils import Comp, CompValue, ParamValue

from prsp_backends.spectra.gaps import Gap

_LOCK = threading.Lock()
EXISTS = frozenset({"Builtin_EXISTS", "Builtin_NOTEXISTS"})
SHORT_FORM = "FakeGroupGraphPatten"
"""What rdflib calls the pattern of ``CONSTRUCT WHERE``, which is its template too."""


def read_query(text: str) -> tuple[Any, Any, str]:
    """The parse tree, the algebra and the base IRI of a query; a gap when rdflib cannot read it."""
    try:
        with _LOCK, _as_written():
            tree = rdflib_parser.parseQuery(text)
            if tree[1].name == "ConstructQuery" and tree[1].where is None:
                tree[1]["where"] = CompValue(SHORT_FORM, part=[])
            tree[1] = rdflib_algebra.traverse(tree[1], visitPost=_never_falsy)
            query = rdflib_algebra.translateQuery(tree)
    except Exception as error:  # pyparsing and rdflib raise many kinds, plain Exception among them
        raise Gap("syntax", f"rdflib, which reads it, says: {error}") from error
    return tree[1], query.algebra, str(query.prologue.base or "")


def parts(item: Any) -> list[Any]:
    """What is directly inside a piece of the algebra."""
    if isinstance(item, CompValue):
        # rdflib puts the algebra of EXISTS beside its parse tree, out of which it has taken the filters.
        return [item.graph] if item.name in EXISTS else [value for key, value in item.items() if key != "_vars"]
    return list(item) if isinstance(item, (list, tuple)) else []


def renamed(item: Any, names: Mapping[str, str]) -> Any:
    """A copy of a piece of the algebra, or of a parse tree, with other variables; the patterns of EXISTS in it stay as they are."""
    if isinstance(item, rdflib.Variable):
        return rdflib.Variable(names.get(str(item), item))
    if isinstance(item, CompValue) and item.name not in EXISTS:
        return CompValue(item.name, **{key: renamed(value, names) for key, value in item.items()})
    return type(item)([renamed(member, names) for member in item]) if isinstance(item, (list, tuple)) else item


def pattern_of(exists: Any, samples: Mapping[str, str]) -> Any:
    """The algebra of the pattern of an EXISTS. Outside WHERE rdflib leaves it a parse tree, with a sample for each variable."""
    graph = exists.graph
    if graph.name in ("GroupGraphPatternSub", "SubSelect"):
        graph = _unsampled(graph, samples)
        with _LOCK, _as_written():
            graph = rdflib_algebra.traverse(graph, visitPost=rdflib_algebra.translatePath)
            graph = rdflib_algebra.traverse(rdflib_algebra.translateGroupGraphPattern(graph), visitPost=rdflib_algebra.simplify)
        exists.graph = graph  # once: the translation takes the filters out of the tree
    return graph


def _unsampled(item: Any, samples: Mapping[str, str]) -> Any:
    if isinstance(item, CompValue):
        # In place, so that it reaches the patterns of EXISTS inside.
        for key, value in item.items():
            item[key] = _unsampled(value, samples)
        return item
    if isinstance(item, rdflib.Variable):
        name = samples.get(str(item), str(item))
        if name.startswith("__agg_"):
            raise Gap("exists", "EXISTS outside WHERE with aggregates in a subquery of its own is not evaluated")
        return rdflib.Variable(name)
    return type(item)([_unsampled(member, samples) for member in item]) if isinstance(item, (list, tuple)) else item


def _never_falsy(part: Any) -> Any:
    """Filters in an expression of their own: rdflib takes a falsy one, such as ``FILTER(false)``, for no filter."""
    if isinstance(part, CompValue) and part.name == "Filter":
        part["expr"] = CompValue("ConditionalAndExpression", expr=part.expr, other=[])


@contextmanager
def _as_written() -> Iterator[None]:
    """Rdflib for a moment without its changes to what was written.

    It normalises numbers (``01`` becomes ``1``, and ``-1.50`` fails), drops the sign of ``+1.5``, loses the IRI of ``^p``
    inside a negated property set, turns tabs in literals into blanks, takes VALUES without rows or variables for nothing, and
    logs a traceback for every ill-formed literal. Its parser is shared by all users, so what is changed is put back.
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
    values, rdflib_algebra.translateValues = rdflib_algebra.translateValues, _values  # type: ignore[assignment]
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
        rdflib_algebra.translateValues = values
        log.disabled = muted
        grammar.keepTabs = tabs
        for element, action in zip(changed, actions, strict=True):
            element.parseAction = action


def _values(block: Any) -> CompValue:
    """The rows of VALUES, also when there are none or they have no columns."""
    names, rows = list(block.var or []), list(block.value or [])
    return CompValue("values", res=[dict(zip(names, row if isinstance(row, list) else [row], strict=False)) for row in rows])


def _signed(sign: str) -> Callable[[Any], rdflib.Literal]:
    return lambda found: rdflib.Literal(sign + str(found[0]), datatype=found[0].datatype)
