"""The second half of GraphSummary (Algorithm 2, line 7): encoded triples to the views they belong to, as generated source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prsp_backends.spectra.codegen import Signature


def route_source(views: Sequence[Signature], graph: str | None, constant: Callable[[bytes], int]) -> str:
    """A function that appends each triple of a graph, as a row, to every view it fits."""
    parameters = ", ".join(f"to_{view}" for view in range(len(views)))
    lines = [f"def route(triples, {parameters}):", "    for s, p, o in triples:"]
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
            lines += _append(number, views[number], constant, "            ")
    for number in by_predicate.get(None, []):
        lines += _append(number, views[number], constant, "        ")
    return "\n".join(lines) + "\n"


def _append(number: int, view: Signature, constant: Callable[[bytes], int], pad: str) -> list[str]:
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
    row = ", ".join(first[column] for column in range(view.width))
    append = f"to_{number}(({row}{',' if view.width == 1 else ''}))"
    return [f"{pad}if {' and '.join(conditions)}:", f"{pad}    {append}"] if conditions else [f"{pad}{append}"]
