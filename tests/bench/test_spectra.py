"""The benchmark of SPECTRA measures what it names; its figures are for a person to judge."""

import pytest

from tests.engines import require_package

RATIOS = """encoded_1pct_geomean encoded_1pct_worst text_1pct_geomean text_1pct_worst one_triple_worst slide_10pct_worst tumbling_worst
auto_over_best polars_1pct_geomean aggregate_1pct_worst""".split()


def test_every_ratio_is_measured_and_every_answer_checked() -> None:
    require_package("polars", "pip install 'prsp[bench]'")
    from prsp.bench.spectra import Plan, measured

    found = measured(Plan(2_000, (500, 2_000), 1, (1_000, 10)))
    assert set(RATIOS) <= set(found.ratios)
    assert all(ratio > 0 for ratio in found.ratios.values())
    table = str(found.details["table"])
    assert [line.split()[0] for line in table.splitlines()[3:]] == ["pyoxigraph", "polars", "S-Rev", "S-Inc"]
    assert set(found.details["memory"]) == {"bytes_per_triple", "turnover_mib", "turnover_growth"}  # type: ignore[call-overload]


def test_the_break_even_is_where_the_modes_cost_the_same() -> None:
    from prsp.bench.spectra_table import break_even

    times = {"inc 0.1": 1.0, "rev 0.1": 2.0, "inc 0.4": 4.0, "rev 0.4": 2.0}
    assert break_even(times, (0.1, 0.4)) == pytest.approx(0.2)
    assert break_even({"inc 0.1": 1.0, "rev 0.1": 2.0}, (0.1,)) is None


@pytest.mark.parametrize("slide", [1, 7, 100])
def test_a_sliding_window_holds_its_triples_and_its_deltas_add_up(slide: int) -> None:
    from prsp.bench.spectra_windows import SlidingWindow, over_and_over
    from prsp.bench.spectra_workloads import Streams

    lines = Streams().lines("lubm", 300)
    window = SlidingWindow(over_and_over(lines), 100, slide, steps=3)
    held = window.data().splitlines()
    assert held == [line.rstrip() for line in lines[:100]]
    for _ in range(3):
        change = window.advance(slide).changes[None]
        went, came = (b"".join(piece.data() for piece in pieces).splitlines() for pieces in (change.left, change.entered))
        assert held[: len(went)] == went
        held = held[len(went) :] + came
        assert window.data().splitlines() == held
        assert len(held) == len(set(held)) == 100


@pytest.mark.parametrize("name", ["star-path", "triangle", "selective", "star-6"])
def test_polars_and_pyoxigraph_agree(name: str) -> None:
    require_package("polars", "pip install 'prsp[bench]'")
    from prsp.bench.spectra_rivals import Rejoin, reload
    from prsp.bench.spectra_workloads import SHAPES, Streams

    workload = next(shape for shape in SHAPES if shape.name == name)
    lines = Streams().lines(workload.stream, 20_000)
    data, rejoin = b"".join(lines), Rejoin(workload)
    pruned = b"".join(line for line in lines if workload.relevant(line))
    rows = reload(data, workload.query)
    assert rows > 0
    assert rejoin.from_bytes(data) == rejoin.encoded([rejoin.encode(data)]) == reload(pruned, workload.query) == rows
