"""The query in the documentation parses, and the table of profiles is the table in the code."""

import re

from prsp.model import PROFILES
from prsp.parse import parse_query
from tests.data import ROOT

QUERIES = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")


def test_the_query_and_the_windows_shown_parse() -> None:
    (block,) = re.findall(r"```csparql\n(.*?)```", QUERIES, re.DOTALL)
    assert parse_query(block).registration.every == 10_000
    windows = re.findall(r"`(\[RANGE [^`]*\d[^`]*\])`", QUERIES)
    assert len(windows) == 6
    for window in windows:
        parse_query(f"REGISTER QUERY q AS ASK FROM STREAM s {window} {{ ?s ?p ?o }}")


def test_every_profile_is_in_the_table_with_its_values() -> None:
    rows = {m[1]: m[0] for m in re.finditer(r"^\| `([\w-]+)`.*$", QUERIES.partition("## Profiles")[2], re.MULTILINE)}
    assert set(rows) == set(PROFILES)
    for name, profile in PROFILES.items():
        for value in (profile.bounds, profile.operator, profile.origin, *profile.report):
            assert value in rows[name]
