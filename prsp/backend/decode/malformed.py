"""What is raised for bytes that are no answer; ``decode`` turns it into an EngineError that names the engine."""

from __future__ import annotations

from prsp.errors import EngineError

_SHOWN = 120


class Malformed(EngineError):
    """Bytes that are not what their format says; the text says where and why."""


def text_of(payload: bytes) -> str:
    """The payload as text without a byte order mark; Malformed when it is empty or not UTF-8."""
    if not payload.strip():
        raise Malformed("it is empty")
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Malformed(f"byte {error.start} is not UTF-8") from error


def shown(text: str) -> str:
    """The beginning of a text, quoted, for a message."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
