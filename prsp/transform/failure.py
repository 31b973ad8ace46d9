"""What Spark's long stories come down to."""

from __future__ import annotations


def spark_reason(error: Exception, doing: str) -> str:
    """Why a Spark job failed, in a line that helps."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lacking = next((line for line in lines if line.startswith("ModuleNotFoundError")), None)
    if lacking is not None:
        return f"Spark's Python workers lack a package: {lacking}\nStart Spark with PYSPARK_PYTHON set to the Python that has prsp"
    return f"Spark failed while {doing}: {lines[0] if lines else type(error).__name__}\nSee what is missing: prsp doctor"
