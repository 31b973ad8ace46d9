"""The papers' worked examples, through the command and from Python, on every engine there is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prsp.api import PROFILES, run
from prsp.backend import Backend, open_backend
from prsp.model import Bounds, Strategy
from tests.cli.run import prsp
from tests.data import ROOT
from tests.engines import require_command
from tests.servers import Endpoint, arq_script

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SENSOR, STREAM = ROOT / "examples" / "sensor.rq", ROOT / "examples" / "sensors.nts"
T0 = 1_483_850_232_556


def engines(oxigraph_server: Endpoint, fuseki: Endpoint) -> dict[str, Backend]:
    """Every backend in every mode that this query can be asked of."""
    require_command("roqet", "apt-get install -y rasqal-utils")
    found = {
        **{f"oxigraph {mode}": open_backend("oxigraph", {"mode": mode}) for mode in ("snapshot", "delta")},
        **{f"rdflib {mode}": open_backend("rdflib", {"mode": mode}) for mode in ("snapshot", "delta")},
        **{f"spectra {mode}": open_backend("spectra", {"mode": mode}) for mode in ("auto", "inc", "rev")},
        "arq": open_backend("command", {"engine": "arq", "program": str(arq_script())}),
        "roqet": open_backend("command", {"engine": "roqet"}),
    }
    for there in (oxigraph_server, fuseki):
        urls = {"query": there.query, "update": there.update, "store": there.store}
        found |= {f"{there.name} {mode}": open_backend("http", {**urls, "mode": mode}) for mode in ("graph", "delta", "replace")}
    return found


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore")  # rdflib warns of its own ways
def test_the_tables_of_prsp_are_the_same_on_every_engine(spark: "SparkSession", oxigraph_server: Endpoint, fuseki: Endpoint) -> None:
    for name, backend in engines(oxigraph_server, fuseki).items():
        with run(SENSOR.read_text(encoding="utf-8"), STREAM, backend=backend, t0=T0) as sensors:
            got = [(e.at, [(str(s), str(o), float(v.lexical)) for s, o, v in e.rows()]) for e in sensors]  # type: ignore[union-attr]
        assert got == [
            (1_483_850_237_556, [("<http://example.org/sensor/A2>", "<http://example.org/observation/A2-1>", 73.0)]),
            (1_483_850_241_556, [("<http://example.org/sensor/A1>", "<http://example.org/observation/A1-2>", 69.0)]),
        ], name


# RSP-QL, Examples 1, 3, 5, 8, 9 and 10, its units as seconds; the owner of shop A is alice, as its data says.
SHOPS = "@prefix : <http://e/> . :alice :owns :a . :bob :owns :b ."
NEARBY = [("diana", "a", 2), ("eve", "b", 2), ("carl", "a", 5), ("eve", "a", 7), ("diana", "b", 12)]
COUPONS = [("alice", "10% discount on", 8), ("bob", "free coffee at", 15)]
QUERY = """REGISTER QUERY Coupons AS
PREFIX : <http://e/>
SELECT ?shopper ?shop ?shop_owner ?coupon
FROM NAMED STREAM <http://e/nearby> [RANGE 5s STEP 2s]
FROM NAMED STREAM <http://e/coupons> [RANGE 2s STEP 2s]
FROM <http://e/shops>
WHERE {
  GRAPH <http://e/nearby> { ?shopper :isNearby ?shop }
  GRAPH <http://e/coupons> { ?shop_owner :offers ?coupon }
  ?shop_owner :owns ?shop
}
"""
RIGHT = [
    (8_000, [("carl", "a", "alice", "10% discount on"), ("eve", "a", "alice", "10% discount on")]),
    (16_000, [("diana", "b", "bob", "free coffee at")]),
]


def nearby() -> list[tuple[str, int]]:
    return [(f"<http://e/{who}> <http://e/isNearby> <http://e/{shop}>", 1000 * time) for who, shop, time in NEARBY]


def coupons() -> list[tuple[str, int]]:
    return [(f'<http://e/{who}> <http://e/offers> "{text}"', 1000 * time) for who, text, time in COUPONS]


@pytest.mark.spark
def test_rspql_example_10_from_python(spark: "SparkSession", tmp_path: Path) -> None:
    (tmp_path / "shops.ttl").write_text(SHOPS, encoding="utf-8")
    policy = (Strategy.WINDOW_CLOSE, Strategy.NON_EMPTY)
    profile = replace(PROFILES["prsp"], bounds=Bounds.LEFT_OPEN, report=policy, bound=("http://e/coupons",))
    for backend in ("oxigraph", "rdflib", "spectra"):
        with run(
            QUERY,
            {"http://e/nearby": nearby(), "http://e/coupons": coupons()},
            backend=backend,
            graphs={"http://e/shops": tmp_path / "shops.ttl"},
            profile=profile,
            t0={"http://e/nearby": 1000, "http://e/coupons": 0},
        ) as answers:
            got = [(e.at, sorted(tuple(_short(str(term)) for term in row) for row in e.rows())) for e in answers]
        assert got == RIGHT, backend


def _short(term: str) -> str:
    return term.removeprefix("<http://e/").removesuffix(">").strip('"')


@pytest.mark.spark
def test_rspql_example_10_through_the_command(tmp_path: Path) -> None:
    (tmp_path / "shops.ttl").write_text(SHOPS, encoding="utf-8")
    (tmp_path / "q.rq").write_text(QUERY, encoding="utf-8")
    for name, elements in (("nearby", nearby()), ("coupons", coupons())):
        (tmp_path / f"{name}.nts").write_text("".join(f"{triple} .\t{time}\n" for triple, time in elements), encoding="utf-8")
    done = prsp(
        "run", str(tmp_path / "q.rq"), "--stream", f"http://e/nearby={tmp_path}/nearby.nts", "--stream", f"http://e/coupons={tmp_path}/coupons.nts",
        "--graph", f"http://e/shops={tmp_path}/shops.ttl", "--bounds", "left-open", "--t0", "http://e/nearby=1000", "--t0", "http://e/coupons=0",
        "--report", "window-close@http://e/coupons+non-empty@http://e/coupons",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    names = ("shopper", "shop", "shop_owner", "coupon")
    got = [
        (line["at"], sorted(tuple(row[n]["value"].removeprefix("http://e/") for n in names) for row in line["results"]["bindings"]))
        for line in lines
    ]
    assert got == RIGHT
    assert "report=window-close@http://e/coupons+non-empty@http://e/coupons" in lines[0]["profile"]
