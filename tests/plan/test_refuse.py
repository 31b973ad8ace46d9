"""A query is refused before anything runs, with the construct, the reason and who can."""

import pytest

from prsp.backend import Requirement, open_backend
from prsp.cli.backend_table import engine_named
from prsp.errors import EnvironmentProblem, InputError, UnsupportedQuery
from prsp.model import PROFILES, Ability, Capabilities, Feature
from prsp.parse import parse_query
from prsp.plan import dataset_of, refuse, verdict_on, verdicts
from prsp.plan.dataset import Dataset
from prsp_backends.oxigraph import OxigraphBackend
from prsp_backends.rdflib import RdflibBackend

PROFILE = PROFILES["prsp"]


def query(where: str = "{ ?s ?p ?o }", dataset: str = "", stream: str = "FROM STREAM <http://e/s> [RANGE 5s STEP 5s]"):  # type: ignore[no-untyped-def]
    return parse_query(f"REGISTER QUERY q AS SELECT * {stream} {dataset} WHERE {where}")


def test_a_gap_is_told_with_its_reason_and_the_engines_that_can() -> None:
    limited = OxigraphBackend(Capabilities({Feature.TRANSITIVE_PATHS: "it only walks one step"}))
    with pytest.raises(UnsupportedQuery) as refused:
        refuse(query("{ ?s <http://e/p>+ ?o }"), PROFILE, limited, Dataset())
    assert "transitive-paths (it only walks one step)" in str(refused.value)
    assert "rdflib" in str(refused.value).partition("that can:")[2]
    refuse(query(), PROFILE, limited, Dataset())


def test_named_windows_and_static_data_are_asked_for_where_they_are_used() -> None:
    limited = OxigraphBackend(Capabilities({Ability.NAMED_WINDOWS: "one graph", Ability.STATIC_DATA: "none"}))
    named = query(stream="FROM NAMED STREAM <http://e/s> [RANGE 5s STEP 5s]")
    with pytest.raises(UnsupportedQuery, match="named-windows"):
        refuse(named, PROFILE, limited, Dataset())
    refuse(named, PROFILES["csparql"], limited, Dataset())  # there, all windows go to the default graph
    with pytest.raises(UnsupportedQuery, match="static-data"):
        refuse(query(dataset="FROM <http://e/kb>"), PROFILE, limited, Dataset(default=("http://e/kb",)))


def test_service_is_refused_on_every_engine() -> None:
    with pytest.raises(UnsupportedQuery, match="SERVICE"):
        dataset_of(query("{ SERVICE SILENT <http://e/x> { ?s ?p ?o } }"), (), open_backend("oxigraph", {}))
    with pytest.raises(UnsupportedQuery, match="SERVICE"):
        dataset_of(query("{ { SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE ?x { ?s ?p ?o } } } } }"), ())


@pytest.mark.parametrize("clause", ["FROM <http://e/kb>", "FROM NAMED <http://e/kb>"])
def test_a_graph_that_is_not_mapped_is_refused_with_what_to_type(clause: str) -> None:
    with pytest.raises(UnsupportedQuery, match="--graph http://e/kb=FILE"):
        dataset_of(query(dataset=clause), (), open_backend("rdflib", {}))
    found = dataset_of(query(dataset=clause), {"http://e/kb"})
    assert (found.default or found.named) == ("http://e/kb",)


def test_a_mapping_the_query_does_not_use_is_a_mistake() -> None:
    with pytest.raises(InputError, match="no FROM"):
        dataset_of(query(), {"http://e/kb"})


def test_verdicts_name_every_installed_engine() -> None:
    found = {verdict.backend: verdict for verdict in verdicts(query(), PROFILE)}
    assert {"oxigraph", "rdflib"} <= set(found)
    assert found["oxigraph"].can
    assert not verdict_on(query("{ ?s ?p ?o FILTER(<http://e/f>(?o)) }"), PROFILE, "oxigraph", {}).can


def test_what_an_engine_finds_out_when_it_plans_is_refused_like_a_gap() -> None:
    asked = query("{ ?s ?p ?o FILTER EXISTS { ?s ?q ?x MINUS { ?x ?y ?z FILTER(?z = ?o) } } }")
    with pytest.raises(UnsupportedQuery, match=r"spectra backend cannot run this query: .*engines that can: .*oxigraph"):
        refuse(asked, PROFILE, open_backend("spectra", {}), Dataset())
    assert not verdict_on(asked, PROFILE, "spectra", {}).can
    assert verdict_on(asked, PROFILE, "spectra", {"fallback": "oxigraph"}).can
    (spectra,) = (verdict for verdict in verdicts(asked, PROFILE) if verdict.backend == "spectra")
    assert "used in MINUS" in spectra.reasons[0]


def test_an_engine_that_lacks_something_here_is_none_that_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RdflibBackend, "requires", (Requirement("no_such_engine.fast", "pip install no-such-engine"),))
    (rdflib,) = (verdict for verdict in verdicts(query(), PROFILE) if verdict.backend == "rdflib")
    assert rdflib.reasons == ("the rdflib backend needs the package no_such_engine.fast: pip install no-such-engine",)
    limited = OxigraphBackend(Capabilities({Feature.TRANSITIVE_PATHS: "it only walks one step"}))
    with pytest.raises(UnsupportedQuery) as refused:
        refuse(query("{ ?s <http://e/p>+ ?o }"), PROFILE, limited, Dataset())
    assert "rdflib" not in str(refused.value)
    with pytest.raises(EnvironmentProblem, match="pip install no-such-engine"):
        open_backend("rdflib", {})
    assert engine_named("rdflib").problem == "needs no_such_engine.fast: pip install no-such-engine"
