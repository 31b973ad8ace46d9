"""The built-in functions of section 17.4 whose arguments are evaluated first."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from fractions import Fraction
from urllib.parse import quote

from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term
from prsp.oracle import times
from prsp.oracle.compare import STRING, boolean
from prsp.oracle.numbers import Kind, Number, literal, need_number, number, rounded
from prsp.oracle.problem import ExpressionError
from prsp.oracle.regex import compile_pattern, replacement

LANG_STRING = RDF + "langString"
_UNRESERVED = "-._~"
_NO_FLAGS = Literal("")


def need_literal(term: Term) -> Literal:
    """The literal; a type error for other terms."""
    if not isinstance(term, Literal):
        raise ExpressionError(f"{term} is not a literal")
    return term


def need_string(term: Term) -> Literal:
    """A string literal, with or without a language; a type error for anything else."""
    if not isinstance(term, Literal) or term.datatype not in (STRING, LANG_STRING):
        raise ExpressionError(f"{term} is not a string")
    return term


def _simple(term: Term) -> str:
    if not isinstance(term, Literal) or term.datatype != STRING:
        raise ExpressionError(f"{term} is not a plain string")
    return term.lexical


def _like(model: Literal, text: str) -> Literal:
    return Literal(text, model.datatype, model.language)


def _pair(a: Term, b: Term) -> tuple[Literal, Literal]:
    """Two strings that are compatible (17.4.3.1.2): the second has no language, or that of the first."""
    x, y = need_string(a), need_string(b)
    if y.language is not None and x.language != y.language:
        raise ExpressionError(f"{x} and {y} are not of one language")
    return x, y


def text_of(term: Term) -> str:
    """What STR gives: the lexical form, or the IRI."""
    if isinstance(term, BlankNode):
        raise ExpressionError("a blank node has no text")
    return term.lexical if isinstance(term, Literal) else term.value


def concat(*terms: Term) -> Literal:
    """The strings one after the other, with their language if they all have the same."""
    strings = [need_string(term) for term in terms]
    kinds = {(s.datatype, s.language) for s in strings}
    return Literal("".join(s.lexical for s in strings), *(kinds.pop() if len(kinds) == 1 else (STRING, None)))


def _lang(term: Term) -> Literal:
    return Literal(need_literal(term).language or "")


def _lang_matches(tag: Term, wanted: Term) -> Literal:
    have, want = _simple(tag).lower(), _simple(wanted).lower()
    return boolean(have != "" if want == "*" else have == want or have.startswith(want + "-"))


def _str_lang(text: Term, tag: Term) -> Literal:
    if not _simple(tag):
        raise ExpressionError("a language tag is not empty")
    return Literal(_simple(text), LANG_STRING, _simple(tag).lower())


def _str_dt(text: Term, datatype: Term) -> Literal:
    if not isinstance(datatype, IRI):
        raise ExpressionError(f"{datatype} is not an IRI")
    return Literal(_simple(text), datatype.value)


def _half_up(value: Fraction) -> int:
    return math.floor(value + Fraction(1, 2))


def _absolute(term: Term) -> Literal:
    value = need_number(term)
    return literal(Number(value.kind, -value.value) if value.value < 0 or str(value.value) == "-0.0" else value)


def _substring(text: Term, start: Term, length: Term | None = None) -> Literal:
    """Positions count from 1 and are rounded; what lies outside is not there (F&O 5.4.3)."""
    source = need_string(text)
    first = _position(start)
    last = math.inf if length is None else first + _position(length)
    return _like(source, "".join(c for place, c in enumerate(source.lexical, 1) if first <= place < last))


def _position(term: Term) -> float:
    value = rounded(need_number(term), _half_up).value
    return float(value)


def _before(text: Term, part: Term) -> Literal:
    x, y = _pair(text, part)
    head, found, _ = x.lexical.partition(y.lexical) if y.lexical else ("", "yes", "")
    return _like(x, head) if found else Literal("")


def _after(text: Term, part: Term) -> Literal:
    x, y = _pair(text, part)
    _, found, tail = x.lexical.partition(y.lexical) if y.lexical else ("", "yes", x.lexical)
    return _like(x, tail) if found else Literal("")


def _regex(text: Term, pattern: Term, flags: Term = _NO_FLAGS) -> Literal:
    return boolean(compile_pattern(_simple(pattern), _simple(flags)).search(need_string(text).lexical) is not None)


def _replace(text: Term, pattern: Term, by: Term, flags: Term = _NO_FLAGS) -> Literal:
    source = need_string(text)
    compiled = compile_pattern(_simple(pattern), _simple(flags))
    if compiled.search("") is not None:
        raise ExpressionError("the pattern of REPLACE matches nothing at all")
    plain = _simple(by)
    if "q" in _simple(flags):
        return _like(source, compiled.sub(lambda _: plain, source.lexical))
    return _like(source, compiled.sub(replacement(plain, compiled.groups), source.lexical))


def _digest(name: str) -> Callable[[Term], Literal]:
    return lambda term: Literal(hashlib.new(name, _simple(term).encode()).hexdigest())


def _integer(value: int) -> Literal:
    return literal(Number(Kind.INTEGER, Fraction(value)))


def _rounding(how: Callable[[Fraction], int]) -> Callable[[Term], Literal]:
    return lambda term: literal(rounded(need_number(term), how))


def _cased(how: Callable[[str], str]) -> Callable[[Term], Literal]:
    return lambda term: _like(need_string(term), how(need_string(term).lexical))


def _tested(test: Callable[[str, str], bool]) -> Callable[[Term, Term], Literal]:
    def apply(a: Term, b: Term) -> Literal:
        x, y = _pair(a, b)
        return boolean(test(x.lexical, y.lexical))

    return apply


FUNCTIONS: dict[str, Callable[..., Term]] = {
    "STR": lambda term: Literal(text_of(term)),
    "LANG": _lang,
    "LANGMATCHES": _lang_matches,
    "DATATYPE": lambda term: IRI(need_literal(term).datatype),
    "STRLANG": _str_lang,
    "STRDT": _str_dt,
    "SAMETERM": lambda a, b: boolean(a == b),
    "ISIRI": lambda term: boolean(isinstance(term, IRI)),
    "ISBLANK": lambda term: boolean(isinstance(term, BlankNode)),
    "ISLITERAL": lambda term: boolean(isinstance(term, Literal)),
    "ISNUMERIC": lambda term: boolean(number(term) is not None),
    "ABS": _absolute,
    "CEIL": _rounding(math.ceil),
    "FLOOR": _rounding(math.floor),
    "ROUND": _rounding(_half_up),
    "CONCAT": concat,
    "STRLEN": lambda term: _integer(len(need_string(term).lexical)),
    "UCASE": _cased(str.upper),
    "LCASE": _cased(str.lower),
    "ENCODE_FOR_URI": lambda term: Literal(quote(need_string(term).lexical, safe=_UNRESERVED)),
    "CONTAINS": _tested(lambda text, part: part in text),
    "STRSTARTS": _tested(str.startswith),
    "STRENDS": _tested(str.endswith),
    "STRBEFORE": _before,
    "STRAFTER": _after,
    "SUBSTR": _substring,
    "REGEX": _regex,
    "REPLACE": _replace,
    "YEAR": lambda term: _integer(times.need_moment(term).year),
    "MONTH": lambda term: _integer(times.need_moment(term).month),
    "DAY": lambda term: _integer(times.need_moment(term).day),
    "HOURS": lambda term: _integer(times.need_moment(term).hour),
    "MINUTES": lambda term: _integer(times.need_moment(term).minute),
    "SECONDS": lambda term: literal(Number(Kind.DECIMAL, times.need_moment(term).second)),
    "TIMEZONE": lambda term: Literal(times.zone_duration(times.need_moment(term)), XSD + "dayTimeDuration"),
    "TZ": lambda term: Literal(times.zone_text(times.need_moment(term))),
    "MD5": _digest("md5"),
    "SHA1": _digest("sha1"),
    "SHA256": _digest("sha256"),
    "SHA384": _digest("sha384"),
    "SHA512": _digest("sha512"),
}
"""Functions by name, in upper case."""
