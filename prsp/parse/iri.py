"""Relative IRIs against a base, by RFC 3986 section 5.2 (the standard library's join loses an empty fragment and unknown schemes)."""

from __future__ import annotations

import re

_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_absolute(iri: str) -> bool:
    """Whether it begins with a scheme."""
    return _ABSOLUTE.match(iri) is not None


def resolve(base: str, reference: str) -> str:
    """The IRI that a reference means in a text with that base."""
    if is_absolute(reference):
        return reference
    scheme, authority, path, query, _ = _split(base)
    _, new_authority, new_path, new_query, fragment = _split(reference)
    if new_authority is not None:
        authority, path, query = new_authority, _without_dots(new_path or ""), new_query
    elif new_path:
        path = _without_dots(new_path if new_path.startswith("/") else _merged(authority, path or "", new_path))
        query = new_query
    elif new_query is not None:
        query = new_query
    return "".join(
        (
            f"{scheme}:",
            "" if authority is None else f"//{authority}",
            path or "",
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )


def _split(iri: str) -> tuple[str | None, ...]:
    match = _PARTS.fullmatch(iri)
    assert match is not None, "every text has these parts"
    return match.groups()


def _merged(authority: str | None, base_path: str, path: str) -> str:
    return f"/{path}" if authority is not None and not base_path else base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    segments = path.split("/")
    kept: list[str] = []
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if segment == ".." and len(kept) > (1 if path.startswith("/") else 0):
            kept.pop()
        elif segment not in (".", ".."):
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/".join(kept)
