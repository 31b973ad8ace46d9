"""The grammar files and what is built from them fit together."""

import logging
from pathlib import Path

import pytest
from lark import Lark, logger

from prsp.parse.grammar import CSPARQL, SPARQL, Dialect, Parser, load, plain_name
from tests.data import ROOT

GRAMMARS = ROOT / "grammar" / "prsp_grammar"


def rule_names(dialect: Dialect) -> set[str]:
    lark = Lark.open(str(GRAMMARS / dialect.grammar), parser="lalr", start=dialect.start, maybe_placeholders=True)
    inlined = {r.origin.name for r in lark.rules if r.options.expand1}
    names = {r.alias or r.origin.name for r in lark.rules if r.alias or r.origin.name not in inlined}
    return {plain_name(str(name)) for name in names if not plain_name(str(name)).startswith("_")}


@pytest.mark.parametrize("dialect", [SPARQL, CSPARQL], ids=lambda d: d.grammar)
def test_every_rule_has_a_method_that_builds_it(dialect: Dialect) -> None:
    assert {name for name in rule_names(dialect) if not callable(getattr(dialect.builder, name, None))} == set()


@pytest.mark.parametrize("dialect", [SPARQL, CSPARQL], ids=lambda d: d.grammar)
def test_the_grammar_has_no_conflict(dialect: Dialect, caplog: pytest.LogCaptureFixture) -> None:
    logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            Lark.open(str(GRAMMARS / dialect.grammar), parser="lalr", start=dialect.start, debug=True)
    finally:
        logger.setLevel(logging.CRITICAL)
    assert [r.message for r in caplog.records if "onflict" in r.message] == []


def test_the_tables_are_cached_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Parser(CSPARQL)
    cached = next(iter(tmp_path.glob("prsp/*.tables")))
    before = cached.stat().st_mtime_ns
    again = Parser(CSPARQL)
    assert cached.stat().st_mtime_ns == before
    assert again.parse("REGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] {}")[0].registration is not None


def test_a_cache_that_cannot_be_written_or_read_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    assert Parser(CSPARQL).parse("REGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] {}")
    folder = tmp_path / "prsp"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Parser(CSPARQL)
    (cached,) = folder.iterdir()
    cached.write_bytes(b"not a table")
    assert Parser(CSPARQL).parse("REGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] {}")


def test_one_parser_a_dialect() -> None:
    assert load(SPARQL) is load(SPARQL)
