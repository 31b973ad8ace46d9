"""The options of the ``http`` backend, read and checked."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from prsp.backend import Option, chosen
from prsp.errors import EnvironmentProblem, InputError

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")


class Mode(StrEnum):
    """Where the windows live in the endpoint."""

    GRAPH = "graph"
    REPLACE = "replace"
    DELTA = "delta"


OPTIONS = (
    Option("query", "URL that answers queries", required=True),
    Option("update", "URL that takes SPARQL updates; needed by mode=delta, and where there is no graph store"),
    Option("store", "URL of the graph store (PUT, DELETE with ?graph=IRI)"),
    Option("mode", "a graph of our own, the whole dataset, or a graph of our own that is sent only the change", "graph", tuple(Mode)),
    Option("graphs", "graphs the endpoint holds already and a query may name in FROM and FROM NAMED: IRIs, separated by spaces"),
    Option("default", "the endpoint's own name for its unnamed graph, to be named in FROM (Fuseki: urn:x-arq:DefaultGraph)"),
    Option("user", "environment variable with the user's name"),
    Option("password", "environment variable with the password"),
    Option("token", "environment variable with a bearer token"),
    Option("connect", "seconds to wait for a connection", "10"),
    Option("read", "seconds without a byte after which the endpoint is given up", "60"),
    Option("total", "seconds one request may take in all", "300"),
    Option("retries", "how often a request is sent again when the endpoint is away (refused, 502, 503, 504)", "3"),
    Option("max-bytes", "the largest answer that is read", str(1 << 30)),
)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The names of the environment variables that hold them; never the values."""

    user: str | None = None
    password: str | None = None
    token: str | None = None

    def secrets(self) -> Mapping[str, str]:
        """The values by kind, read now; EnvironmentProblem for a variable that is not set."""
        found = {}
        for kind in ("user", "password", "token"):
            name = getattr(self, kind)
            if name is None:
                continue
            if name not in os.environ:
                raise EnvironmentProblem(f"--option {kind}={name}: the environment variable {name} is not set: export {name}=…")
            found[kind] = os.environ[name]
        return found


@dataclass(frozen=True, slots=True)
class Settings:
    """What is known about an endpoint and how to treat it."""

    query: str
    update: str | None
    store: str | None
    mode: Mode
    held: tuple[str, ...]
    unnamed: str | None
    credentials: Credentials
    connect: float
    read: float
    total: float
    retries: int
    max_bytes: int


def settings(backend: str, options: Mapping[str, str]) -> Settings:
    """Settings from ``--option k=v``; InputError says which of them cannot be, and what to give instead."""
    values = chosen(backend, OPTIONS, options)
    urls = {name: _url(name, values[name]) for name in ("query", "update", "store") if name in values}
    mode = Mode(values["mode"])
    if mode is Mode.DELTA and "update" not in urls:
        raise InputError("--option mode=delta sends updates: give --option update=URL")
    if not {"update", "store"} & urls.keys():
        raise InputError("a window has to get into the endpoint: give --option store=URL (graph store) or --option update=URL")
    unnamed = _iri("default", values["default"]) if "default" in values else None
    if ("user" in values) != ("password" in values):
        raise InputError("--option user=VARIABLE and --option password=VARIABLE belong together")
    if "token" in values and "user" in values:
        raise InputError("give a token or a user and password, not both")
    return Settings(
        query=urls["query"],
        update=urls.get("update"),
        store=urls.get("store"),
        mode=mode,
        held=_held(values.get("graphs", ""), unnamed),
        unnamed=unnamed,
        credentials=Credentials(values.get("user"), values.get("password"), values.get("token")),
        connect=_seconds("connect", values["connect"]),
        read=_seconds("read", values["read"]),
        total=_seconds("total", values["total"]),
        retries=_number("retries", values["retries"], 0),
        max_bytes=_number("max-bytes", values["max-bytes"], 1),
    )


def _held(text: str, unnamed: str | None) -> tuple[str, ...]:
    names = [name.removeprefix("<").removesuffix(">") for name in text.split()]
    if "default" in names and unnamed is None:
        raise InputError(
            "--option graphs=default: SPARQL has no name for the unnamed graph, so it joins a window only where the engine has one; "
            "give it as --option default=IRI (Fuseki: urn:x-arq:DefaultGraph) and name it in FROM, or copy the data to a named graph"
        )
    held = [_iri("graphs", name) for name in names if name != "default"]
    return tuple(dict.fromkeys([*held, *([unnamed] if unnamed else [])]))


def _iri(option: str, text: str) -> str:
    name = text.removeprefix("<").removesuffix(">")
    if not _IRI.fullmatch(name):
        raise InputError(f"--option {option}: '{name}' is not an absolute IRI")
    return name


def _url(option: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"--option {option}: not a URL: {error}") from None
    if parts.scheme not in {"http", "https"} or not host or not text.isascii() or " " in text:
        raise InputError(f"--option {option}: it is http://host/path or https://host/path")
    if parts.username is not None or parts.password is not None:
        # The text is not repeated: it holds a password.
        raise InputError(f"--option {option}: no user or password in a URL; give --option user=VARIABLE and password=VARIABLE")
    return text


def _seconds(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise InputError(f"--option {option}={text}: it is a number of seconds")
    return value


def _number(option: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise InputError(f"--option {option}={text}: it is a whole number, at least {least}")
    return int(text)
