"""Terms: IRIs with prefixes and base resolved, literals, blank nodes, variables."""

from __future__ import annotations

import re

from lark import Token

from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Variable
from prsp.parse.iri import is_absolute, resolve
from prsp.parse.problem import SyntaxProblem

_STRING_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_STRING_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", "\\": "\\", '"': '"', "'": "'"}
_LOCAL_ESCAPE = re.compile(r"\\(.)")
_NUMBER_TYPES = {"INTEGER": XSD + "integer", "DECIMAL": XSD + "decimal", "DOUBLE": XSD + "double"}


class TermBuilder:
    """Holds the prologue in force; rules are reduced in the order of the text, so each name sees what was declared before it."""

    def __init__(self) -> None:
        self.begin(None)

    def begin(self, base: str | None) -> None:
        """Forget the previous text."""
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.relative: list[Token] = []
        """IRIs that stayed relative because no base was known."""
        self._anonymous = 0

    # prologue

    def prologue(self, *_declarations: None) -> None:
        """Nothing is kept: the declarations have taken effect."""

    def base_decl(self, iri: Token) -> None:
        base = self.resolve(iri)
        if not is_absolute(base):
            raise SyntaxProblem(f"{iri} is a relative IRI, and a BASE must be absolute", iri.start_pos or 0)
        self.base = base

    def prefix_decl(self, prefix: Token, iri: Token) -> None:
        self.prefixes[prefix[:-1]] = self.resolve(iri)

    def resolve(self, token: Token) -> str:
        """The absolute IRI of an IRIREF token; relative still when there is no base."""
        reference = token[1:-1]
        if self.base is not None:
            return resolve(self.base, reference)
        if not is_absolute(reference):
            self.relative.append(token)
        return reference

    def expand(self, token: Token) -> str:
        """The IRI of a prefixed name."""
        prefix, local = token.split(":", 1)
        if prefix not in self.prefixes:
            raise SyntaxProblem(f"the prefix '{prefix}:' is not declared", token.start_pos or 0, f"add PREFIX {prefix}: <…> at the top")
        return self.prefixes[prefix] + _LOCAL_ESCAPE.sub(r"\1", local)

    def named(self, token: Token) -> str:
        """The IRI that an IRIREF or a prefixed name stands for."""
        return self.resolve(token) if token.startswith("<") else self.expand(token)

    # terms

    def iriref(self, token: Token) -> IRI:
        return IRI(self.resolve(token))

    def prefixed_name(self, token: Token) -> IRI:
        return IRI(self.expand(token))

    def verb_a(self) -> IRI:
        return IRI(RDF + "type")

    def var(self, token: Token) -> Variable:
        return Variable(token[1:], token.start_pos or 0)

    def string(self, token: Token) -> str:
        quotes = 3 if token.type.rpartition("__")[2].startswith("STRING_LITERAL_LONG") else 1
        body = token[quotes:-quotes]
        return _STRING_ESCAPE.sub(lambda m: _STRING_ESCAPES[m.group(1)], body) if "\\" in body else body

    def rdf_literal(self, lexical: str, tag: Token | IRI | None) -> Literal:
        if tag is None:
            return Literal(lexical)
        if isinstance(tag, IRI):
            return Literal(lexical, tag.value)
        return Literal(lexical, RDF + "langString", tag[1:])

    def number(self, token: Token) -> Literal:
        kind = token.type.rpartition("__")[2].split("_")[0]
        return Literal(str(token), _NUMBER_TYPES[kind])

    signed_number = number

    def boolean_literal(self, token: Token) -> Literal:
        return Literal(token.lower(), XSD + "boolean")

    def labelled_blank_node(self, token: Token) -> BlankNode:
        return BlankNode(token[2:], token.start_pos or 0)

    def anon(self) -> BlankNode:
        # A dot cannot begin a label in the text, so an anonymous node never meets a labelled one.
        self._anonymous += 1
        return BlankNode(f".{self._anonymous}")

    def nil(self) -> IRI:
        return IRI(RDF + "nil")
