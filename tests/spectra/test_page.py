"""What docs/backends/spectra.md shows is so: its options, its plan, its Python; and what the decision names is there."""

import re

from prsp_backends.spectra import SpectraBackend, describe
from tests.data import ROOT

PAGE = (ROOT / "docs" / "backends" / "spectra.md").read_text(encoding="utf-8")
DECISION = (ROOT / "docs" / "decisions" / "0005-spectra.md").read_text(encoding="utf-8")
CODE = ROOT / "backends" / "prsp_backends" / "spectra"


def block(marker: str) -> str:
    found = re.search(rf"<!-- {marker} -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_every_option_and_its_default_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)=(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    assert {(name, value) for name, value, _ in rows} == {(o.name, value) for o in SpectraBackend.options for value in o.choices or ()}
    assert {(name, value) for name, value, text in rows if "(default)" in text} == {(o.name, o.default) for o in SpectraBackend.options}


def test_the_plan_shown_is_the_plan() -> None:
    assert describe(block("query")) == block("plan")


def test_every_python_block_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    for text in blocks:
        exec(compile(text, "spectra.md", "exec"), {})


def test_the_papers_parts_are_found_by_their_names() -> None:
    for name in re.findall(r"`([\w/]+\.py)`", DECISION):
        assert (CODE / name).exists(), name
    sources = {path.relative_to(CODE).as_posix(): path.read_text(encoding="utf-8") for path in CODE.rglob("*.py")}
    for file, words in {
        "summary.py": "GraphSummary (Algorithm 2)",
        "views.py": "bidirectional multimaps (Definition 8)",
        "engine.py": "query conductor (Definition 8)",
        "codegen.py": "QueryProc and IncQueryProc (Algorithms 3 and 4)",
        "occurrences.py": "timelist",
        "operators/pattern.py": "incremental join of Algorithms 3 and 4",
        "auto.py": "S-Inc",
    }.items():
        assert words in sources[file], f"{file}: {words}"
    assert "Rstream, Appendix A" in sources["engine.py"]
    assert "Istream" in sources["engine.py"]
