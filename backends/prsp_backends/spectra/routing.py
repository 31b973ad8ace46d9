"""The second half of GraphSummary (Algorithm 2, line 7): encoded triples to the views they belong to, as generated source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prsp_backends.spectra.codegen import Signature

Body = Callable[[int, Sequence[str]], list[str]]
"""What is done with a row of a view: the view's number and the names of the row's columns to lines of source."""


def route_source(views: Sequence[Signature], graph: str | None, constant: Callable[[bytes], int]) -> str:
    """A function that appends each triple of a graph, as a row, to every view it fits."""
    head = f"def route(triples, {', '.join(f'to_{view}' for view in range(len(views)))}):"
    return "\n".join([head, *_loop(views, graph, constant, _append)]) + "\n"


def fill_source(views: Sequence[Signature], graph: str | None, constant: Callable[[bytes], int], upkeep: Body) -> str:
    """A function that puts each triple of a graph into the indexes of every view it fits at once; it gives the rows of each view."""

    def put(view: int, names: Sequence[str]) -> list[str]:
        return [*upkeep(view, names), f"n{view} += 1"]

    counters = [f"n{view}" for view in range(len(views))]
    start, end = f"    {' = '.join(counters)} = 0", f"    return [{', '.join(counters)}]"
    return "\n".join(["def fill(triples):", start, *_loop(views, graph, constant, put), end]) + "\n"


def _append(view: int, names: Sequence[str]) -> list[str]:
    return [f"to_{view}(({', '.join(names)}{',' if len(names) == 1 else ''}))"]


def _loop(views: Sequence[Signature], graph: str | None, constant: Callable[[bytes], int], body: Body) -> list[str]:
    lines = ["    for s, p, o in triples:"]
    by_predicate: dict[int | None, list[int]] = {}
    for number, view in enumerate(views):
        if view.table < 0 and view.graph == graph:
            predicate = view.constants[1]
            by_predicate.setdefault(None if predicate is None else constant(predicate), []).append(number)
    keyword = "if"
    for number_of_predicate, numbers in by_predicate.items():
        if number_of_predicate is None:
            continue
        lines.append(f"        {keyword} p == {number_of_predicate}:")
        keyword = "elif"
        for number in numbers:
            lines += _fitting(number, views[number], constant, body, "            ")
    for number in by_predicate.get(None, []):
        lines += _fitting(number, views[number], constant, body, "        ")
    return lines


def _fitting(number: int, view: Signature, constant: Callable[[bytes], int], body: Body, pad: str) -> list[str]:
    letters = ("s", "p", "o")
    conditions = [f"{letters[i]} == {constant(token)}" for i, token in enumerate(view.constants) if token is not None and i != 1]
    first: dict[int, str] = {}
    variable = [letters[i] for i in range(3) if view.constants[i] is None]
    for letter, column in zip(variable, view.columns, strict=True):
        if column in first:
            conditions.append(f"{letter} == {first[column]}")
        else:
            first[column] = letter
    conditions += [f"T{test}[{first[column]}]" for column, test in view.tests]
    done = body(number, [first[column] for column in range(view.width)])
    if not conditions:
        return [pad + line for line in done]
    return [f"{pad}if {' and '.join(conditions)}:", *(f"{pad}    {line}" for line in done)]
