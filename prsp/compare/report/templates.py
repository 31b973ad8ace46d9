"""The report's templates: everything a document says is escaped, and cleaned of what neither HTML nor XML can hold."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from prsp.compare.report.numbers import count, digits, duration, load, memory, share, times

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with a replacement character for each one that is no text: controls, halves of surrogate pairs."""
    return _CONTROL.sub("\ufffd", text)


def template(name: str) -> Template:
    """One of the report's templates."""
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("prsp.compare.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "duration": duration,
        "memory": memory,
        "share": share,
        "times": times,
        "count": count,
        "digits": digits,
        "load": load,
    }
    return found


def _finalized(value: object) -> object:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
