"""Figures as files: well-formed, with a title, a legend, units, and nothing from elsewhere."""

from xml.etree import ElementTree as ET

import pytest

from prsp.compare.report import figures
from tests.compare.report.documents import SCRIPT, document

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("nasty", [False, True])
def test_every_figure_stands_alone(nasty: bool) -> None:
    found = figures(document(nasty=nasty))
    for name, text in found.items():
        assert name.endswith(".svg")
        assert name.replace("-", "").removesuffix(".svg").isalnum()
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert {element.tag for element in root.iter()} <= {f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "text")}
        assert not any("var(" in value or "url(" in value for element in root.iter() for value in element.attrib.values())
        roles = {element.get("class") for element in root.iter(f"{SVG}text")}
        assert {"title", "legend", "axis-title", "tick-x"} <= roles
    assert any(SCRIPT in text.replace("&lt;", "<").replace("&gt;", ">") for text in found.values()) == nasty


def texts(svg: str, role: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text") if element.get("class") == role]


def test_a_group_by_load_has_each_measure_by_load() -> None:
    found = figures(document())
    for ending in ("tlt", "qrt", "eet", "throughput", "memory", "precision", "recall", "f", "scaling"):
        assert f"tumbling-5-s-5-s-{ending}.svg" in found
    eet = found["tumbling-5-s-5-s-eet.svg"]
    assert texts(eet, "legend") == ["oxigraph", "rdflib", "jena over HTTP", "roqet", "spectra", "oxigraph, deltas"]
    assert texts(eet, "axis-title") == ["EET (ms, log scale)", "sensors (log scale)"]
    assert texts(eet, "tick-x") == ["10", "50", "250", "1,250"]


def test_an_experiment_alone_has_bars_with_their_values() -> None:
    bars = figures(document())["sliding-joined-with-static-data-times.svg"]
    assert texts(bars, "legend") == ["TLT", "QRT", "EET"]
    assert texts(bars, "label") == ["oxigraph", "rdflib", "jena over HTTP", "roqet", "spectra", "oxigraph, deltas"]
    assert "not asked" in texts(bars, "value")
    assert len(texts(bars, "value")) == 16


def test_figures_of_experiments_with_one_name_have_names_of_their_own() -> None:
    made = document(loads=0)
    made["experiments"] *= 2
    found = figures(made)
    assert len(found) == 2 * len(figures(document(loads=0)))
    assert "sliding-joined-with-static-data-times-2.svg" in found


def test_nothing_measured_is_nothing_drawn() -> None:
    made = document(loads=0, windows=1)
    for result in made["experiments"][0]["results"]:
        result |= {"refused": "not today", "windows": [], "totals": {}}
    assert figures(made) == {}
    assert figures(made | {"experiments": []}) == {}
