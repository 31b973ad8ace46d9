"""The parts of a comparison that need no Spark: labels, options, hashes of answers, suites."""

import json
from pathlib import Path

import pytest

from prsp.cli.common import options_of_each
from prsp.cli.reports import Reports
from prsp.compare import contenders, installed, labelled_name, replaying
from prsp.compare.again import comparing
from prsp.compare.digest import digest
from prsp.compare.suites import SUITES, suite_contenders
from prsp.errors import InputError
from prsp.model.result import Boolean, Triples, solutions
from prsp.model.term import IRI, XSD, BlankNode, Literal, Term
from tests.compare.report.documents import document as comparison


def test_a_label_tells_two_engines_of_one_backend_apart() -> None:
    assert (labelled_name("a=spectra"), labelled_name("spectra")) == (("a", "spectra"), ("spectra", "spectra"))
    found = contenders(["inc=spectra", "spectra"], {"inc": {"mode": "inc"}, "spectra": {"mode": "rev"}})
    assert [(one.label, one.backend.name, one.options["mode"]) for one in found] == [
        ("inc", "spectra", "inc"),
        ("spectra", "spectra", "rev"),
    ]
    with pytest.raises(InputError, match="two engines are called spectra; call one otherwise, as in --backend other=spectra"):
        contenders(["spectra", "spectra"], {})


def test_an_option_belongs_to_one_engine() -> None:
    given = ["a.x=1", "b.y=p=q", "a.b.z=2"]
    assert options_of_each(given, ["a", "b"]) == {"a": {"x": "1", "b.z": "2"}, "b": {"y": "p=q"}}
    assert options_of_each(["x=1", "a.y=2"], ["a"]) == {"a": {"x": "1", "y": "2"}}
    assert options_of_each(["a.b.x=1", "a.x=2"], ["a", "a.b"]) == {"a": {"x": "2"}, "a.b": {"x": "1"}}
    for wrong, told in ((["x=1"], "for which backend? Write a.x=1"), (["c.x=1"], "c is not used here, only a, b"), (["a.x"], "write k=v")):
        with pytest.raises(InputError, match=told.replace("?", r"\?")):
            options_of_each(wrong, ["a", "b"])


def test_what_needs_no_options_takes_part_by_itself() -> None:
    assert [one.label for one in installed()] == ["oxigraph", "rdflib", "spectra"]


def _rows(*values: Term | None) -> str:
    return digest(solutions(["v"], [(value,) for value in values]))


def test_the_hash_of_an_answer() -> None:
    a, b = IRI("http://e/a"), Literal("b")
    double = [Literal(text, XSD + "double") for text in ("0.30000000000000004", "0.3", "3.0E-1", "0.31")]
    assert _rows(a, b) == _rows(b, a) != _rows(a, b, b)
    assert _rows(BlankNode("q0"), a) == _rows(a, BlankNode("q7"))
    assert _rows(BlankNode("s0_x")) != _rows(BlankNode("s0_y"))
    assert _rows(double[0]) == _rows(double[1]) == _rows(double[2]) != _rows(double[3])
    assert _rows(Literal("1", XSD + "double")) != _rows(Literal("1", XSD + "integer"))
    assert _rows(None) != _rows(Literal("-"))
    assert digest(solutions(["x", "y"], [(a, b)])) == digest(solutions(["y", "x"], [(b, a)]))
    assert digest(Boolean(True)) != digest(Boolean(False))
    assert digest(Triples(b"<a> <b> _:q0 .\n<c> <d> <e> .\n")) == digest(Triples(b"<c> <d> <e> .\n<a> <b> _:q5 .\n"))


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("quick", [False, True])
def test_a_suite_names_each_experiment_once_and_asks_queries_that_are_there(name: str, quick: bool) -> None:
    suite = SUITES[name](quick=quick)
    names = [experiment.name for experiment in suite.experiments]
    assert len(set(names)) == len(names)
    for experiment in suite.experiments:
        assert experiment.query in [query.name for query in experiment.workload().queries]
    for group in {experiment.group for experiment in suite.experiments}:
        own = [experiment for experiment in suite.experiments if experiment.group == group]
        assert len({(one.x_label, one.measures) for one in own}) == 1
        assert len({one.x for one in own}) == len(own) > 1


def test_the_suites_have_what_the_papers_have() -> None:
    prsp = SUITES["prsp"](quick=False)
    assert {(e.group.split(",")[0], e.x) for e in prsp.experiments} == {
        (setting, load) for setting in ("tumbling windows", "sliding windows") for load in (500, 1000, 1500, 2000, 2500)
    }
    spectra = SUITES["spectra"](quick=False)
    groups = {e.group for e in spectra.experiments}
    assert {f"Table 1: q{n}" for n in range(1, 8)} <= groups
    assert {f"SEAS {q}, events of {n}" for q in ("Q1", "Q2") for n in ("1 triple", "20 triples")} <= groups
    assert {"Break-even: q5", "Break-even: q7", "Memory: SEAS Q1"} <= groups
    assert [one.label for one in suite_contenders(spectra, [])] == ["S-Rev", "S-Inc", "oxigraph"]
    assert [one.label for one in suite_contenders(spectra, contenders(["rdflib"], {}))] == ["S-Rev", "S-Inc", "rdflib"]
    assert [one.label for one in suite_contenders(prsp, [])] == ["oxigraph", "rdflib", "spectra"]


def test_half_a_character_of_an_engine_does_not_lose_a_report(tmp_path: Path) -> None:
    Reports(None, tmp_path / "r.json", tmp_path / "r.csv", overwrite=False, quiet=True).write(comparison() | {"title": "\ud800"})
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["title"] == "\ud800"


def test_how_to_see_a_window_again_is_told_in_commands() -> None:
    (one,) = contenders(["inc=spectra"], {"inc": {"mode": "inc"}})
    told = replaying(comparing("my queries/q.rq", "s.nts", one), one).replace("{window}", "7")
    assert told == (
        "prsp compare 'my queries/q.rq' --stream s.nts --backend=inc=spectra --option=inc.mode=inc --save-window 7 window-7; "
        "prsp bundle run window-7 --backend spectra --option mode=inc"
    )
