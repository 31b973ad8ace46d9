"""Short ways to ask the naive evaluator."""

from prsp.model.term import Term
from prsp.oracle import Dataset, Solutions, evaluate, read_ntriples

PREFIXES = "PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "


def data(*triples: str) -> Dataset:
    """A default graph from triples in which ``:x`` is short for an IRI."""
    terms = [" ".join(f"<http://e/{word[1:]}>" if word.startswith(":") else word for word in triple.split()) for triple in triples]
    return Dataset(read_ntriples("".join(f"{triple} .\n" for triple in terms).encode()))


def rows(query: str, dataset: Dataset | None = None) -> list[tuple[str | None, ...]]:
    """The rows as short text."""
    answer = evaluate(PREFIXES + query, dataset or data())
    assert isinstance(answer, Solutions)
    return [tuple(map(_short, row)) for row in answer.rows]


def value(expression: str) -> str | None:
    """The value of an expression as short text; None for an error."""
    ((cell,),) = rows(f"SELECT ({expression} AS ?v) {{}}")
    return cell


def _short(term: Term | None) -> str | None:
    if term is None:
        return None
    return str(term).replace("^^<http://www.w3.org/2001/XMLSchema#", "^^<").replace("<http://e/", "<")
