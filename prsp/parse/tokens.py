"""Where strings, IRIs and comments are in a query text, for the little that is done to text before it is parsed or after."""

from __future__ import annotations

OPAQUE = r"""
    "{3}(?:[^"\\]|\\.|"(?!""))*"{3} | '{3}(?:[^'\\]|\\.|'(?!''))*'{3}
  | "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*'
  | <[^<>"{}|^`\s]*>
"""
"""A verbose pattern for what may hold a # or a line break without meaning it."""
COMMENT = r"\#[^\r\n]*"
