"""What goes wrong inside the parser, before the text around it is known."""

from __future__ import annotations


class SyntaxProblem(Exception):
    """A fault at a character offset of the parsed text; the parser turns it into a QuerySyntaxError."""

    def __init__(self, message: str, at: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint
