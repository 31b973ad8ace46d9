"""Saved windows: whole, told when tampered with, and answered alike by other engines."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from prsp.backend import open_backend
from prsp.compare import Asked, compare, read_bundle, replay
from prsp.errors import InputError
from prsp.model.profile import PROFILES, Operator
from tests.cli.run import prsp
from tests.compare.support import VALUES, S, case, engine, readings
from tests.testing.faulty import DropsASolution, Faulty

STATIC = f"""REGISTER QUERY q AS PREFIX f: <http://larkc.eu/csparql/sparql/jena/ext#>
SELECT ?s ?v ?t ?room FROM STREAM <{S}> [RANGE 10ms STEP 5ms] FROM <http://e/kb>
WHERE {{ ?s <http://e/v> ?v ; <http://e/in> ?room BIND(f:timestamp(?s, <http://e/v>, ?v) AS ?t) }}"""


@pytest.fixture
def saved(tmp_path: Path, spark: SparkSession) -> Path:
    (tmp_path / "kb.ttl").write_text("<http://e/sensor1> <http://e/in> <http://e/hall> . <http://e/sensor2> <http://e/in> _:b .", "utf-8")
    what = case(tmp_path, STATIC, {S: readings(30)}, files={"http://e/kb": str(tmp_path / "kb.ttl")})
    compare(what, [engine("oxigraph")], lambda: spark, save={2: tmp_path / "window-2"})
    return tmp_path / "window-2"


@pytest.mark.spark
def test_a_saved_window_replays_on_other_engines_and_tells_a_wrong_one(saved: Path) -> None:
    bundle = read_bundle(saved)
    assert bundle.snapshot.at == 20
    for name in ("rdflib", "spectra", "oxigraph"):
        found = replay(bundle, open_backend(name, {}))
        assert (found.check.verdict, found.check.wanted) == ("equal", 2)
        assert min(found.tlt, found.qrt) > 0
    wrong = replay(bundle, Faulty(DropsASolution))
    assert (wrong.check.verdict, wrong.check.right) == ("different", 1)
    done = prsp("bundle", "run", str(saved), "--backend", "rdflib")
    assert (done.returncode, done.stderr) == (0, "")
    assert "as expected (oracle, naive evaluator): 2 rows" in done.stdout
    document = json.loads(prsp("bundle", "run", str(saved), "--backend", "spectra", "--json").stdout)
    assert (document["verdict"], document["at"], len(document["results"]["bindings"])) == ("equal", 20, 2)


@pytest.mark.spark
def test_what_was_tampered_with_is_refused(saved: Path, tmp_path: Path) -> None:
    window = saved / "window-0.nts"
    window.write_bytes(window.read_bytes().replace(b"sensor1", b"sensor9"))
    with pytest.raises(InputError, match=r"window-0\.nts is not as it was saved"):
        read_bundle(saved)
    window.unlink()
    done = prsp("bundle", "run", str(saved))
    assert (done.returncode, "is not as it was saved" in done.stderr) == (2, True)
    done = prsp("bundle", "run", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "is no saved window" in done.stderr
    assert "--save-window" in done.stderr
    (saved / "bundle.json").write_text('{"format": "prsp-bundle-9"}', encoding="utf-8")
    with pytest.raises(InputError, match="has format prsp-bundle-9; this prsp reads prsp-bundle-1"):
        read_bundle(saved)
    for incomplete in ('{"format": "prsp-bundle-1"}', '{"format": "prsp-bundle-1", "sha256": []}'):
        (saved / "bundle.json").write_text(incomplete, encoding="utf-8")
        with pytest.raises(InputError, match=r"bundle\.json is not as it was saved: "):
            read_bundle(saved)
    (saved / "bundle.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="has format None; this prsp reads prsp-bundle-1"):
        read_bundle(saved)
    (saved / "bundle.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"bundle\.json: "):
        read_bundle(saved)


@pytest.mark.spark
def test_a_manifest_that_says_something_else_is_refused(saved: Path) -> None:
    manifest = json.loads((saved / "bundle.json").read_bytes())
    (saved / "bundle.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert read_bundle(saved).snapshot.at == 20
    for other in (manifest | {"at": 25}, manifest | {"sha256": {}}):
        (saved / "bundle.json").write_text(json.dumps(other), encoding="utf-8")
        with pytest.raises(InputError, match=r"bundle\.json is not as it was saved: its seal"):
            read_bundle(saved)


@pytest.mark.spark
def test_a_window_replaces_the_one_that_its_static_graph_comes_from(saved: Path, tmp_path: Path, spark: SparkSession) -> None:
    what = case(tmp_path, STATIC, {S: readings(30)}, files={"http://e/kb": str(saved / "static-0.ttl")})
    compare(what, [engine("oxigraph")], lambda: spark, save={2: saved}, overwrite=True)
    assert replay(read_bundle(saved), open_backend("oxigraph", {})).check.verdict == "equal"


@pytest.mark.spark
def test_the_whole_answer_is_saved_whatever_the_operator_and_the_reference(tmp_path: Path, spark: SparkSession) -> None:
    for number, reference in enumerate(("oracle", "oxigraph")):
        profile = replace(PROFILES["prsp"], operator=Operator.ISTREAM)
        what = case(tmp_path, VALUES, {S: readings(30)}, profile=profile, reference=Asked(reference))
        compare(what, [engine("oxigraph")], lambda: spark, save={3: tmp_path / str(number)})
        found = replay(read_bundle(tmp_path / str(number)), open_backend("rdflib", {}))
        assert found.check.verdict == "equal"
        assert found.check.wanted > 7


@pytest.mark.spark
def test_a_folder_in_use_and_a_window_that_is_not_there_are_told(tmp_path: Path, spark: SparkSession) -> None:
    what = case(tmp_path, VALUES, {S: readings(12)})
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    for overwrite in (False, True):
        with pytest.raises(InputError, match="exists and is not empty; give another folder"):
            compare(what, [engine("oxigraph")], lambda: spark, save={0: tmp_path / "full"}, overwrite=overwrite)
    assert (tmp_path / "full" / "mine.txt").exists()
    with pytest.raises(InputError, match="the windows are numbered 0 to 2"):
        compare(what, [engine("oxigraph")], lambda: spark, save={3: tmp_path / "new"})
    for overwrite in (False, True):
        compare(what, [engine("oxigraph")], lambda: spark, save={1: tmp_path / "new"}, overwrite=overwrite)
