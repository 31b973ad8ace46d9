"""Who takes part in a comparison: an engine with its options, under a label, so that one backend can take part twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prsp.backend import Backend, backend_names, open_backend
from prsp.compare.asked import ORACLE
from prsp.errors import InputError, PrspError, UnsupportedQuery
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.run import Registered, register


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine under a label."""

    label: str
    backend: Backend
    options: Mapping[str, str] = field(default_factory=dict)


def labelled_name(text: str) -> tuple[str, str]:
    """Label and backend of ``LABEL=NAME``, or of ``NAME`` alone."""
    label, found, name = text.partition("=")
    return (label, name) if found else (text, text)


def contenders(names: Sequence[str], options: Mapping[str, Mapping[str, str]]) -> list[Contender]:
    """The engines as ``--backend`` names them, opened; ``options`` are those of each label."""
    found: list[Contender] = []
    for text in names:
        label, name = labelled_name(text)
        if label in ("", ORACLE):
            raise InputError(f"--backend {text}: an engine cannot be called '{label}'; call it otherwise, as in --backend other={name}")
        if any(label == other.label for other in found):
            raise InputError(f"--backend {text}: two engines are called {label}; call one otherwise, as in --backend other={name}")
        own = dict(options.get(label, {}))
        found.append(Contender(label, open_backend(name, own), own))
    return found


def registrations(
    query: ContinuousQuery,
    taking_part: Sequence[Contender],
    profile: Profile,
    *,
    files: Mapping[str, str],
    origins: Mapping[str, int],
) -> tuple[dict[str, Registered], dict[str, str]]:
    """The query on each engine, and why it is refused for the others; UnsupportedQuery where it is for all of them."""
    registered: dict[str, Registered] = {}
    refused: dict[str, str] = {}
    for one in taking_part:
        try:
            (registered[one.label],) = register([query], one.backend, profile, files=files, origins=origins)
        except UnsupportedQuery as error:
            refused[one.label] = str(error)
    if not registered:
        raise UnsupportedQuery("\n".join(refused.values()))
    return registered, refused


def installed() -> list[Contender]:
    """Every engine that is here and needs no options."""
    found: list[Contender] = []
    for name in backend_names():
        try:
            found.append(Contender(name, open_backend(name, {})))
        except PrspError:
            continue  # something is missing, or it has to be told where its engine is
    return found
