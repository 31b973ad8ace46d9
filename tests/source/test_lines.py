"""Timestamped N-Triples: what is accepted is what pyoxigraph accepts, and equal triples are equal bytes."""

import re

import pyoxigraph
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from prsp.source.batch import Batch
from prsp.source.lines import CANONICAL, read_lines

LIMIT = 1 << 24


def read(text: str | bytes, limit: int = LIMIT) -> Batch:
    data = text if isinstance(text, bytes) else text.encode()
    return read_lines(data, offset=1000, line_limit=limit)


def elements(batch: Batch) -> list[tuple[bytes, int]]:
    return [
        (batch.data[s : s + n - 1], t) for s, n, t in zip(batch.starts.tolist(), batch.lengths.tolist(), batch.times.tolist(), strict=True)
    ]


def test_an_ordinary_block() -> None:
    batch = read(
        '# note\n<http://e/s> <http://e/p> "a\tb" .\t5\n\n   \n<http://e/s> <http://e/p> <http://e/o> .\t-7\r\n_:x <http://e/p> _:y .\t0\n'
    )
    assert elements(batch) == [
        (b'<http://e/s> <http://e/p> "a\\tb" .', 5),
        (b"<http://e/s> <http://e/p> <http://e/o> .", -7),
        (b"_:x <http://e/p> _:y .", 0),
    ]
    assert (batch.lines, batch.rejects) == (6, [])
    assert batch.arrivals.tolist() == sorted(batch.arrivals.tolist())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<http://e/s> <http://e/p> <http://e/o> .", "no TAB"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t", "not an integer"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t1.5", "not an integer"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t+5", "not an integer"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t 5", "not an integer"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t٣", "not an integer"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t9223372036854775808", "64 bits"),
        ("<http://e/s> <http://e/p> <http://e/o> .\t" + "9" * 5000, "64 bits"),
        ("<http://e/s> <http://e/p> <http://e/o>\t5", "not an N-Triples triple"),
        ("<relative> <http://e/p> <http://e/o> .\t5", "not an N-Triples triple"),
        ('"literal" <http://e/p> <http://e/o> .\t5', "not an N-Triples triple"),
        ("<http://e/s> <http://e/p> <http://e/o> . <http://e/s> <http://e/p> <http://e/o> .\t5", "N-Triples"),
        ("not a comment\t5", "N-Triples"),
    ],
)
def test_rejected_with_line_and_reason(line: str, reason: str) -> None:
    batch = read(f'# first\n{line}\n<http://e/s> <http://e/p> "ok" .\t1\n')
    assert len(batch.times) == 1
    (reject,) = batch.rejects
    assert reject.line == 2
    assert reason in reject.reason


def test_the_ends_of_64_bits_are_accepted() -> None:
    line = "<http://e/s> <http://e/p> <http://e/o> .\t{}\n"
    times = [-(2**63), 2**63 - 1, -1, 0, 10**18, -(10**18), 999_999_999_999_999_999]
    assert read("".join(line.format(t) for t in times)).times.tolist() == times
    assert read(line.format("0000000000000000000000000005")).times.tolist() == [5]


def test_a_line_over_the_limit_is_rejected() -> None:
    batch = read(f'<http://e/s> <http://e/p> "{"x" * 100}" .\t1\n<http://e/s> <http://e/p> "y" .\t2\n', limit=60)
    assert batch.times.tolist() == [2]
    assert batch.rejects[0].reason == "longer than 60 bytes"


def test_bytes_that_are_not_utf8_are_rejected() -> None:
    batch = read(b'<http://e/s> <http://e/p> "\xff\xfe" .\t1\n<http://e/s> <http://e/p> "y" .\t2\n')
    assert batch.times.tolist() == [2]
    assert "N-Triples" in batch.rejects[0].reason


IRIS = st.sampled_from(
    ["<http://e/s>", "<http://e.org:80/a?b=c#d>", "<urn:x:y>", "<http://e/é>", "<http://e/%41>", "<http://e/a b>", "<rel>", "<http://e:x/>",
     "<http://e/#a#b>", "<http://e/[>", "<http://-e..f/>", "<a://b>", "<http://e/~u/(x)*!>"]
)  # fmt: skip
LITERALS = st.builds(
    lambda body, tag: f'"{body}"{tag}',
    st.text(st.sampled_from('abc é\\"\t\x00\x7f\x85\ufffe\uffff#<>_:.nu0041'), max_size=8),
    st.sampled_from(["", "@en", "@EN-gb", "@x", "@abcdefghij", "^^<http://www.w3.org/2001/XMLSchema#float>",
                     "^^<http://www.w3.org/2001/XMLSchema#string>", "^^<rel>",
                     "^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>"]),
)  # fmt: skip
BLANKS = st.sampled_from(["_:a", "_:a1", "_:a.b", "_:a.", "_:-a", "_:é", "_:1"])
SPACES = st.sampled_from([" ", " ", " ", "", "  ", "\t"])


@settings(max_examples=2_000, deadline=None)
@given(IRIS | BLANKS | LITERALS, IRIS | BLANKS, IRIS | BLANKS | LITERALS, SPACES, SPACES, SPACES, st.sampled_from(["", " # c", "\r"]))
@example("<http://e/s>", "<http://e/p>", '"x"', " ", " ", " ", "")
def test_accepted_is_what_pyoxigraph_accepts(s: str, p: str, o: str, a: str, b: str, c: str, end: str) -> None:
    line = f"{s}{a}{p}{b}{o}{c}.{end}"
    try:
        parsed = [f"{quad.triple} ." for quad in pyoxigraph.parse(line.encode(), pyoxigraph.RdfFormat.N_TRIPLES)]
    except SyntaxError:
        parsed = []
    batch = read(f"{line}\t5\n")
    got = [content.decode() for content, _ in elements(batch)]
    assert got == (parsed if len(parsed) == 1 else [])
    assert len(got) + len(batch.rejects) == 1
    if re.fullmatch(CANONICAL, line, re.ASCII):
        assert got == [line], "the strict pattern lets through what is not in canonical form"
