"""C-SPARQL: the registration and the stream windows."""

from __future__ import annotations

from lark import Token

from prsp.model.window import CountWindow, TimeWindow, Window
from prsp.parse.build.queries import Dataset, QueryBuilder, whole_number
from prsp.parse.duration import iso_duration, unit_duration
from prsp.parse.problem import SyntaxProblem
from prsp.parse.syntax import Query, QueryBody, RegistrationClause, StreamClause

WindowText = tuple[Window, int]
"""A window and the offset where its text ends."""


class ContinuousQueryBuilder(QueryBuilder):
    """Builds a registered query; a text without REGISTER is built too, so that the refusal can say what is missing."""

    def continuous_query(
        self,
        _before: None,
        registration: tuple[Token, str, Token | str, int | None, Token] | None,
        _after: None,
        body: tuple[QueryBody, Dataset],
    ) -> Query:
        if registration is None:
            return Query(*body, base=self.base)
        start, kind, name, every, end = registration
        # A name that could not be resolved where it stands may use a PREFIX or BASE declared after it.
        text = name if isinstance(name, str) and not isinstance(name, Token) else self.named(name)
        return Query(*body, RegistrationClause(kind, text, every, start.start_pos or 0, end.end_pos or 0), self.base)

    def registration(
        self, start: Token, kind: str, name: Token, every: int | None, end: Token
    ) -> tuple[Token, str, Token | str, int | None, Token]:
        if _is_bare(name):
            return start, kind, str.__str__(name), every, end
        known = self.base is not None if name.startswith("<") else name.partition(":")[0] in self.prefixes
        return start, kind, self.named(name) if known else name, every, end

    def registration_kind(self, word: Token) -> str:
        return word.lower()

    def stream_clause(self, start: Token, stream: Token, window: WindowText) -> StreamClause:
        return self._stream(start, stream, window, named=False)

    def named_stream_clause(self, start: Token, stream: Token, window: WindowText) -> StreamClause:
        if _is_bare(stream):
            raise SyntaxProblem(
                f"a NAMED stream needs an IRI, and '{stream}' is a bare word",
                stream.start_pos or 0,
                "its window becomes a named graph, and GRAPH has to name it: write <…> or a prefixed name, or leave NAMED out",
            )
        return self._stream(start, stream, window, named=True)

    def _stream(self, start: Token, stream: Token, window: WindowText, *, named: bool) -> StreamClause:
        iri = str(stream) if _is_bare(stream) else self.named(stream)
        if not iri:
            raise SyntaxProblem("a stream needs a name", stream.start_pos or 0)
        return StreamClause(iri, named, window[0], start.start_pos or 0, window[1])

    def time_window(self, length: int, step: int | None, end: Token) -> WindowText:
        return TimeWindow(length, length if step is None else step), end.end_pos or 0

    def tumbling_window(self, length: int, end: Token) -> WindowText:
        return self.time_window(length, None, end)

    def count_window(self, size: Token, step: Token | None, end: Token) -> WindowText:
        elements = _elements(size)
        return CountWindow(elements, elements if step is None else _elements(step)), end.end_pos or 0

    def tumbling_count_window(self, size: Token, end: Token) -> WindowText:
        return self.count_window(size, None, end)

    def unit_duration(self, number: Token, unit: Token) -> int:
        try:
            return unit_duration(str(number), str(unit))
        except ValueError as error:
            raise SyntaxProblem(str(error), number.start_pos or 0) from None

    def iso_duration(self, text: Token) -> int:
        try:
            return iso_duration(str(text))
        except ValueError as error:
            raise SyntaxProblem(str(error), text.start_pos or 0) from None


def _is_bare(name: Token) -> bool:
    return not name.startswith("<") and ":" not in name


def _elements(number: Token) -> int:
    if "." in number or (elements := whole_number(number)) <= 0:
        raise SyntaxProblem(f"{number} triples: a count window needs a whole number, 1 or more", number.start_pos or 0)
    return elements
