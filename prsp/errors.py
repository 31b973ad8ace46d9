"""Every error prsp raises on purpose: one root, so that a caller can catch them all and nothing else."""

from __future__ import annotations


class PrspError(Exception):
    """Anything that is wrong with what the user gave us or with what an engine did; its text is meant to be read."""


class InputError(PrspError):
    """A file, option or value that cannot be used as given."""


class EnvironmentProblem(PrspError):
    """Something this machine lacks (Java, an optional package); the text ends with the line that installs it."""


class OutputFailed(EnvironmentProblem):
    """An output that could not be written, also when tried again; the run can go on from where it was."""


class EngineError(PrspError):
    """An engine that refused, failed or answered nonsense; the text names it."""


class DeadlineExceeded(EngineError):
    """An evaluation that took longer than it was given."""


class UnsupportedQuery(InputError):
    """A query the chosen engine cannot run, refused before anything runs; the text names the construct and who can."""


class QuerySyntaxError(PrspError):
    """A query text that is not a continuous query, with the place and what could stand there.

    ``line`` and ``column`` count from 1, in characters of the user's own text.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int,
        column: int,
        source_line: str,
        expected: tuple[str, ...] = (),
        hint: str | None = None,
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.source_line = source_line
        self.expected = expected
        self.hint = hint
        super().__init__(self._render())

    def _render(self) -> str:
        caret_indent = "".join("\t" if c == "\t" else " " for c in self.source_line[: self.column - 1])
        lines = [f"line {self.line}, column {self.column}: {self.message}", f"  {self.source_line}", f"  {caret_indent}^"]
        if self.expected:
            lines.append(
                f"expected {', '.join(self.expected[:-1])} or {self.expected[-1]}"
                if len(self.expected) > 1
                else f"expected {self.expected[0]}"
            )
        if self.hint:
            lines.append(self.hint)
        return "\n".join(lines)
