"""Whatever is done to a query text, the parser answers with a value or a QuerySyntaxError."""

import random
from concurrent.futures import ProcessPoolExecutor

from prsp.errors import QuerySyntaxError
from prsp.parse import parse_query
from tests.parse.test_golden import QUERIES
from tests.parse.test_rho import assert_only_blanked

MUTATIONS = 10_000
PIECES = [
    *"[]{}()<>'\"\\#:;^!*\x00\r\u2028\ud800é",
    *("FROM", "STREAM", "RANGE", "STEP 0s", "-1", "\\u", "?x", "AS", "9" * 30, "GROUP BY", "SELECT", "COUNT(*)", "PT", "BASE <x>"),
]


def mutate(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        at, other = chance.randint(0, len(text)), chance.randint(0, len(text))
        low, high = min(at, other), max(at, other)
        text = chance.choice(
            [
                text[:at] + text[at + 1 :],
                text[:at] + chance.choice(PIECES) + text[at:],
                text[:at] + " " + chance.choice(PIECES) + " " + text[at + 1 :],
                text[:low] + text[high:] if high - low < 30 else text,
                text[:high] + text[low:high] + text[high:] if high - low < 30 else text,
                text[:low] + text[low:high].swapcase() + text[high:],
            ]
        )
    return text


def outcomes(seed: int, count: int) -> tuple[int, int]:
    """How many mutations were accepted and refused; anything else is raised."""
    chance = random.Random(seed)
    texts = [path.read_text(encoding="utf-8") for path in QUERIES]
    accepted = refused = 0
    for _ in range(count):
        text = mutate(chance.choice(texts), chance)
        try:
            query = parse_query(text)
        except QuerySyntaxError as error:
            refused += 1
            assert error.line >= 1
            assert 1 <= error.column <= len(error.source_line) + 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} on {text!r}") from error
        else:
            accepted += 1
            assert_only_blanked(text, query.sparql)
    return accepted, refused


def test_ten_thousand_mutations_give_a_value_or_a_syntax_error() -> None:
    with ProcessPoolExecutor(2) as pool:
        both = list(pool.map(outcomes, (1, 2), (MUTATIONS // 2, MUTATIONS // 2)))
    accepted, refused = sum(b[0] for b in both), sum(b[1] for b in both)
    assert accepted + refused == MUTATIONS
    assert min(accepted, refused) > MUTATIONS // 20, "the mutations are all of one kind"


def test_deep_nesting_is_refused_or_parsed() -> None:
    for depth in (50, 5_000, 100_000):
        text = "REGISTER QUERY q AS SELECT * FROM STREAM s [RANGE 1s] " + "{" * depth + "}" * depth
        try:
            parse_query(text)
        except QuerySyntaxError as error:
            assert depth > 50
            assert "nested too deeply" in str(error)
