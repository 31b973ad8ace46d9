"""Term numbers back to terms, kept by every answer that was given out."""

from __future__ import annotations

import json

from prsp.model.result import encode_term
from prsp.model.term import IRI, BlankNode, Literal, Term
from prsp_backends.spectra.node import read_literal, triple_term


class Terms(dict[int | None, Term | None]):
    """The term of each number, made when first asked for; None stands for itself, so that whole columns can be mapped."""

    __slots__ = ("text",)

    def __init__(self, text: dict[int, bytes]) -> None:
        super().__init__({None: None})
        self.text = text

    def __missing__(self, number: int) -> Term:
        term = self[number] = term_of(self.text[number])
        return term


class Fragments(dict[int, str]):
    """The SPARQL JSON of each number, made when first asked for."""

    __slots__ = ("text",)

    def __init__(self, text: dict[int, bytes]) -> None:
        super().__init__()
        self.text = text

    def __missing__(self, number: int) -> str:
        fragment = self[number] = json.dumps(encode_term(term_of(self.text[number])), ensure_ascii=False, separators=(",", ":"))
        return fragment


class Decoder:
    """One generation of the dictionary: what it forgets later stays readable here."""

    __slots__ = ("fragments", "terms", "text")

    def __init__(self, text: dict[int, bytes]) -> None:
        self.text = text
        self.terms = Terms(text)
        self.fragments = Fragments(text)

    def reduced(self, text: dict[int, bytes]) -> Decoder:
        """A decoder of the terms that stay, with what was decoded already."""
        decoder = Decoder(text)
        decoder.terms.update((number, term) for number, term in self.terms.items() if number in text)
        decoder.fragments.update((number, text_) for number, text_ in self.fragments.items() if number in text)
        return decoder


def term_of(token: bytes) -> Term:
    """The term of canonical N-Triples bytes."""
    first = token[:1]
    if first == b"<":
        if token[1:2] == b"<":
            raise triple_term(token)
        return IRI(token[1:-1].decode())
    if first == b"_":
        return BlankNode(token[2:].decode())
    lexical, datatype, language, _ = read_literal(token)
    return Literal(lexical, datatype, language) if language else Literal(lexical, datatype)
