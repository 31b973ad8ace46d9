"""A suite goes on where it was interrupted, and what is done stays as it is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from prsp.compare import contenders
from prsp.compare.suites import SUITES, SuiteOptions, run_suite, suite_contenders


@pytest.mark.spark
def test_an_interrupted_suite_goes_on(tmp_path: Path, spark: SparkSession) -> None:
    suite = SUITES["prsp"](quick=True)
    taking_part = suite_contenders(suite, contenders(["oxigraph", "spectra"], {}))
    options = SuiteOptions(tmp_path, repeat=1)
    seen: list[str] = []

    def interrupts(after: str) -> Callable[[str, float], None]:
        def progress(what: str, _part: float) -> None:
            seen.append(what)
            if what.startswith(after):
                raise KeyboardInterrupt

        return progress

    with pytest.raises(KeyboardInterrupt):
        run_suite(suite, taking_part, options, lambda: spark, interrupts("3 of 4, "))
    done = {file: file.stat().st_mtime_ns for file in (tmp_path / "experiments").iterdir()}
    assert len(done) == 2
    made = run_suite(suite, taking_part, options, lambda: spark)
    assert [document["name"] for document in made] == [experiment.name for experiment in suite.experiments]
    assert all(file.stat().st_mtime_ns == before for file, before in done.items())
    for document, experiment in zip(made, suite.experiments, strict=True):
        assert (document["group"], document["x"], document["reference"]) == (experiment.group, experiment.x, "oracle, naive evaluator")
        assert all(result["totals"]["f"] == 1.0 and result["totals"]["windows"] == 3 for result in document["results"])

    def never() -> SparkSession:
        raise AssertionError("nothing is left to be done")

    assert run_suite(suite, taking_part, options, never) == made
    # What a window is replayed from is kept, too.
    assert {file.stem for file in (tmp_path / "queries").iterdir()} == {experiment.name for experiment in suite.experiments}


@pytest.mark.spark
def test_spectras_experiments_answer_right_and_in_one_shape(tmp_path: Path, spark: SparkSession) -> None:
    suite = SUITES["spectra"](quick=True)
    few = [
        e for e in suite.experiments if e.name in ("table-1-q7-1000", "events-q2-20-100", "memory-500", "slide-q7-50", "break-even-q5-10")
    ]
    assert len(few) == 5
    made = run_suite(replace(suite, experiments=tuple(few)), suite_contenders(suite, []), SuiteOptions(tmp_path, repeat=1), lambda: spark)
    for document in made:
        for result in document["results"]:
            totals = result["totals"]
            assert (totals["different"], totals["failed"], totals["f"]) == (0, 0, 1.0)
            assert totals["throughput"] > 0
    by_name = {document["name"]: document for document in made}
    assert all(window["entered"] == 20 for window in by_name["events-q2-20-100"]["windows"][1:])
    for result in by_name["events-q2-20-100"]["results"]:
        # The first window, which is loaded whole, is in no mean.
        eet = [w["tlt"][0] + w["qrt"][0] for w in result["windows"][1:]]
        assert result["totals"]["eet_sum"] == pytest.approx(sum(eet))
        assert result["totals"]["throughput"] == pytest.approx(20 * len(eet) / sum(eet))
    assert [result["engine"] for result in by_name["break-even-q5-10"]["results"]] == ["S-Rev", "S-Inc", "oxigraph"]
    assert all(result["totals"]["memory"] > 0 for result in by_name["memory-500"]["results"])
