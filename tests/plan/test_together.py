"""What an engine cannot hold at the same time is refused before anything runs."""

import pytest

from prsp.backend import Backend, open_backend
from prsp.errors import UnsupportedQuery
from prsp.model import PROFILES, ContinuousQuery
from prsp.parse import parse_query
from prsp.plan import refuse_together

PROFILE = PROFILES["prsp"]


def http(mode: str) -> Backend:
    return open_backend("http", {"query": "http://127.0.0.1:9/q", "update": "http://127.0.0.1:9/u", "mode": mode})


def query(name: str, *, named: bool) -> ContinuousQuery:
    word = "NAMED " if named else ""
    return parse_query(f"REGISTER QUERY {name} AS ASK FROM {word}STREAM <http://e/s> [RANGE 1s] {{ GRAPH ?g {{ ?s ?p ?o }} }}")


def test_a_dataset_that_is_replaced_holds_one_session() -> None:
    plain = query("a", named=False)
    refuse_together([plain], PROFILE, http("replace"), spread=False)
    for queries, spread in (([plain, query("b", named=False)], False), ([plain], True)):
        with pytest.raises(UnsupportedQuery, match=r"several sessions at once .*mode=graph"):
            refuse_together(queries, PROFILE, http("replace"), spread=spread)


def test_a_name_in_an_endpoint_is_one_sessions() -> None:
    named = query("a", named=True)
    refuse_together([named, query("b", named=False)], PROFILE, http("graph"), spread=False)
    refuse_together([query("a", named=False)], PROFILE, http("graph"), spread=True)
    for queries, spread in (([named, query("b", named=True)], False), ([named], True)):
        with pytest.raises(UnsupportedQuery, match="share the named graph <http://e/s>"):
            refuse_together(queries, PROFILE, http("delta"), spread=spread)
    refuse_together([named], PROFILES["csparql"], http("graph"), spread=True)  # there, no window has a name


def test_engines_in_process_hold_what_they_are_given() -> None:
    for name in ("oxigraph", "rdflib", "spectra"):
        refuse_together([query("a", named=True), query("b", named=True)], PROFILE, open_backend(name, {}), spread=True)
