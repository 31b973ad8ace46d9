"""What a failing Spark job is turned into."""

from prsp.transform.failure import spark_reason


def test_a_worker_without_a_package_is_told_with_what_to_do() -> None:
    raw = "An exception was thrown:\nTraceback (most recent call last):\n  File …\nModuleNotFoundError: No module named 'numpy'\n"
    assert "PYSPARK_PYTHON" in spark_reason(RuntimeError(raw), "cutting")
    assert "No module named 'numpy'" in spark_reason(RuntimeError(raw), "cutting")


def test_any_other_failure_is_one_line_and_a_next_step() -> None:
    assert spark_reason(RuntimeError("Job aborted\nlots\nof\nlines"), "cutting").splitlines() == [
        "Spark failed while cutting: Job aborted",
        "See what is missing: prsp doctor",
    ]
