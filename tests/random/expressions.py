"""Random expressions: the whole expression language but what cannot be repeated (RAND, NOW, UUID, STRUUID, BNODE)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.random.node import Node, expression, leaf, several
from tests.random.vocabulary import NUMERIC, RESOURCES, VALUES, Flavour, written

Scope = dict[str, str]
"""The kind of every variable that may be bound here."""


class Expressions:
    """Makes expressions over the variables of a scope; ``exists`` makes the pattern of an EXISTS, when there may be one."""

    def __init__(self, random: Random, flavour: Flavour) -> None:
        self._random, self._flavour = random, flavour

    def condition(self, scope: Scope, depth: int = 2, exists: Callable[[Scope], Node] | None = None) -> Node:
        """Something with a truth value."""
        random, draw = self._random, self._random.random()
        if depth <= 0:
            return self._test(scope, 0)
        if draw < 0.12:
            return expression(random.choice(("(@ && @)", "(@ || @)")), *(self.condition(scope, depth - 1, exists) for _ in "ab"))
        if draw < 0.17:
            return expression("(!@)", self.condition(scope, depth - 1, exists))
        if draw < 0.27 and exists is not None:
            return Node(leaf("").kind, random.choice(("EXISTS @", "NOT EXISTS @")), (exists(scope),))
        return self._test(scope, depth)

    def _test(self, scope: Scope, depth: int) -> Node:
        random = self._random
        match random.randrange(14):
            case 0 | 1 | 2 | 3:
                return self._comparison(scope, depth)
            case 4:
                return expression(f"BOUND({self._variable(scope)})")
            case 5:
                kind = random.choice(("int", "str", "dec"))
                members = [self._constant(kind) for _ in range(random.randint(1, 3))]
                form = f"(@ {random.choice(('IN', 'NOT IN'))} ({', '.join('@' for _ in members)}))"
                return expression(form, self.of(kind, scope, depth - 1), *members)
            case 6:
                return expression(f"{random.choice(('isIRI', 'isBlank', 'isLiteral', 'isNumeric'))}({self._variable(scope)})")
            case 7 | 8:
                form = random.choice(("STRSTARTS(@, @)", "STRENDS(@, @)", "CONTAINS(@, @)"))
                return expression(form, self.of("str", scope, depth - 1), leaf(random.choice(('"a"', '"b"', '""'))))
            case 9:
                pattern = random.choice(('"a"', '"^a"', '"B", "i"', '"a|b"', '"^.$"', '"[0-9]+"'))
                return expression(f"REGEX(@, {pattern})", self.of("str", scope, depth - 1))
            case 10:
                return expression('LANGMATCHES(LANG(@), "' + random.choice(("en", "*", "FR")) + '")', self.of("lang", scope, depth - 1))
            case 11:
                return expression("SAMETERM(@, @)", self._any(scope, depth - 1), self._any(scope, depth - 1))
            case 12:
                return expression(
                    "(DATATYPE(@) = xsd:" + random.choice(("integer", "string", "double", "decimal", "float")) + ")",
                    self._any(scope, depth - 1),
                )
            case _:
                return self.of("bool", scope, depth - 1)

    def _comparison(self, scope: Scope, depth: int) -> Node:
        random = self._random
        operator = random.choice(("=", "!=", "<", ">", "<=", ">=", ">"))
        kind = random.choice(("num", "num", "num", "str", "date", "bool", "lang", "res", "mix"))
        if kind == "mix":
            return expression(f"(@ {operator} @)", self._any(scope, depth - 1), self._any(scope, depth - 1))
        if kind in ("lang", "res"):
            operator = random.choice(("=", "!="))
        left, right = self.of(kind, scope, depth - 1), self.of(kind, scope, depth - 1)
        return expression(f"(@ {operator} @)", left, right)

    def of(self, kind: str, scope: Scope, depth: int) -> Node:
        """An expression meant to have a value of some kind."""
        if kind == "num":
            kind = self._random.choice(NUMERIC)
        if depth <= 0 or self._random.random() < 0.45:
            return self._atom(kind, scope)
        maker = {"int": self._integer, "dec": self._number, "dbl": self._number, "flt": self._number, "str": self._string}
        maker |= {"lang": self._lang, "bool": self._boolean, "date": self._date, "res": self._resource}
        return maker[kind](scope, depth - 1)

    def _number(self, scope: Scope, depth: int) -> Node:
        random = self._random
        match random.randrange(8):
            case 0 | 1 | 2:
                return expression(f"(@ {random.choice('+-*')} @)", self.of("num", scope, depth), self.of("num", scope, depth))
            case 3:
                return expression(f"(@ / {random.choice(('2', '4.0', '0.5', '0', '0.0e0', '2.0e0'))})", self.of("num", scope, depth))
            case 4:
                return expression(
                    random.choice(("ABS(@)", "CEIL(@)", "FLOOR(@)", "ROUND(@)", "(- @)", "(+ @)")), self.of("num", scope, depth)
                )
            case 5:
                return expression(
                    random.choice(("xsd:double(@)", "xsd:decimal(@)", "xsd:float(@)")),
                    self.of(random.choice(("num", "str", "bool")), scope, depth),
                )
            case _:
                return self._choice("num", scope, depth)

    def _integer(self, scope: Scope, depth: int) -> Node:
        random = self._random
        match random.randrange(6):
            case 0:
                return expression("STRLEN(@)", self.of("str", scope, depth))
            case 1:
                form = random.choice(("YEAR(@)", "MONTH(@)", "DAY(@)", "HOURS(@)", "MINUTES(@)", "SECONDS(@)"))
                return expression(form, self.of("date", scope, depth))
            case 2:
                return expression("xsd:integer(@)", self.of(random.choice(("num", "str", "bool")), scope, depth))
            case 3:
                return self._choice("int", scope, depth)
            case _:
                return expression(f"(@ {random.choice('+-*')} @)", self.of("int", scope, depth), self.of("int", scope, depth))

    def _string(self, scope: Scope, depth: int) -> Node:
        random, text = self._random, self.of(self._random.choice(("str", "str", "lang")), scope, depth)
        match random.randrange(10):
            case 0:
                return expression("CONCAT(@)", several(", ", text, self.of("str", scope, depth)))
            case 1:
                return expression(random.choice(("SUBSTR(@, 1, 1)", "SUBSTR(@, 2)", "SUBSTR(@, 0, 2)", "SUBSTR(@, 5)")), text)
            case 2:
                return expression(random.choice(("UCASE(@)", "LCASE(@)", "ENCODE_FOR_URI(@)", "STR(@)")), text)
            case 3:
                return expression(random.choice(('STRBEFORE(@, "b")', 'STRAFTER(@, "a")', 'STRAFTER(@, "")', 'STRBEFORE(@, "z")')), text)
            case 4:
                return expression(random.choice(('REPLACE(@, "a", "x")', 'REPLACE(@, "[ab]", "-")', 'REPLACE(@, "A", "y", "i")')), text)
            case 5:
                return expression("STR(@)", self.of(random.choice(("int", "res", "bool", "lang")), scope, 0))
            case 6:
                return expression(random.choice(("LANG(@)", "STR(DATATYPE(@))")), self._any(scope, depth))
            case 7:
                return expression(random.choice(("MD5(@)", "SHA1(@)", "SHA256(@)", "SHA384(@)", "SHA512(@)")), self.of("str", scope, depth))
            case 8:
                return expression("xsd:string(@)", self.of(random.choice(("int", "bool", "str")), scope, 0))
            case _:
                return self._choice("str", scope, depth)

    def _lang(self, scope: Scope, depth: int) -> Node:
        if self._random.random() < 0.5:
            return expression(self._random.choice(("UCASE(@)", "SUBSTR(@, 1, 1)")), self.of("lang", scope, depth))
        return expression('STRLANG(@, "en")', self.of("str", scope, depth))

    def _boolean(self, scope: Scope, depth: int) -> Node:
        return (
            expression("xsd:boolean(@)", self.of(self._random.choice(("int", "bool")), scope, depth))
            if self._random.random() < 0.3
            else self.condition(scope, depth)
        )

    def _date(self, scope: Scope, depth: int) -> Node:
        return (
            self._choice("date", scope, depth)
            if self._random.random() < 0.5
            else expression("xsd:dateTime(@)", self.of("date", scope, depth))
        )

    def _resource(self, scope: Scope, depth: int) -> Node:
        if self._random.random() < 0.5:
            return expression('IRI(CONCAT("http://e/", @))', leaf(self._random.choice(('"a"', '"b"', '"zz"'))))
        return self._choice("res", scope, depth)

    def _choice(self, kind: str, scope: Scope, depth: int) -> Node:
        if self._random.random() < 0.5:
            return expression("IF(@, @, @)", self.condition(scope, depth), self.of(kind, scope, depth), self.of(kind, scope, depth))
        return expression("COALESCE(@)", several(", ", self.of(kind, scope, depth), self.of(kind, scope, depth)))

    def _any(self, scope: Scope, depth: int) -> Node:
        if scope and self._random.random() < 0.6:
            return leaf(self._variable(scope))
        return self.of(self._random.choice(("num", "str", "date", "bool", "lang", "res")), scope, depth)

    def _variable(self, scope: Scope) -> str:
        return f"?{self._random.choice(list(scope))}" if scope else "?nothing"

    def _atom(self, kind: str, scope: Scope) -> Node:
        fitting = [name for name, k in scope.items() if k == kind or (kind in NUMERIC and k in NUMERIC)]
        if fitting and self._random.random() < 0.75:
            return leaf(f"?{self._random.choice(fitting)}")
        if scope and self._flavour is Flavour.MIXED and self._random.random() < 0.2:
            return leaf(self._variable(scope))
        return self._constant(kind)

    def _constant(self, kind: str) -> Node:
        if kind == "res":
            return leaf(written(self._random.choice(RESOURCES)))
        text = self._random.choice(VALUES[kind])
        if kind in ("int", "dec") and not text.startswith('"-'):
            text = text.split('"')[1]
        return leaf(text)
