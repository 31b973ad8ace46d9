"""Calls whose value is not a function of their arguments: queries with them are evaluated anew at every instant."""

from __future__ import annotations

from prsp_backends.spectra.algebra import parts

_NAMES = frozenset({"Builtin_NOW", "Builtin_RAND", "Builtin_UUID", "Builtin_STRUUID", "Builtin_BNODE"})


def is_volatile(algebra: object) -> bool:
    """Whether such a call is anywhere in an expression or a query of rdflib's algebra."""
    return getattr(algebra, "name", "") in _NAMES or any(map(is_volatile, parts(algebra)))
