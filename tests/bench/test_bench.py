"""The benchmarks run and print what scripts read; their figures are for a person to judge."""

import json

from tests.cli.run import prsp


def test_bench_parse_prints_its_ratios() -> None:
    done = prsp("bench", "parse", "--quick", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert list(document) == ["bench", "ratios", "details", "machine"]
    assert document["bench"] == "parse"
    assert document["ratios"]["rdflib_over_prsp"] > 0
    assert set(document["details"]["prsp_ms"]) == set(document["details"]["rdflib_ms"])


def test_bench_prints_a_table_for_people() -> None:
    assert "rdflib_over_prsp" in prsp("bench", "parse", "--quick").stdout
