"""Queries that read the streams other queries of the run register: which have to be answered first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prsp.errors import InputError
from prsp.model.query import ContinuousQuery, RegistrationKind


def registered_streams(queries: Sequence[ContinuousQuery]) -> dict[str, int]:
    """The streams that queries of the run register, by name, each with the number of its query."""
    return {q.registration.name: number for number, q in enumerate(queries) if q.registration.kind is RegistrationKind.STREAM}


def read_from_outside(queries: Sequence[ContinuousQuery]) -> list[str]:
    """The streams that have to come from outside, in the order of the queries. A circle of registered streams is refused."""
    levels(queries)
    made = registered_streams(queries)
    return list(dict.fromkeys(s.iri for query in queries for s in query.streams if s.iri not in made))


def levels(queries: Sequence[ContinuousQuery]) -> list[list[int]]:
    """The numbers of the queries in steps: each reads only streams from outside and of earlier steps. A cycle is refused."""
    made = registered_streams(queries)
    needs = {number: {made[s.iri] for s in query.streams if s.iri in made} for number, query in enumerate(queries)}
    steps: list[list[int]] = []
    done: set[int] = set()
    while len(done) < len(queries):
        step = [number for number in needs if number not in done and needs[number] <= done]
        if not step:
            raise InputError(f"these queries read each other's streams in a circle: {_circle(queries, needs, done)}")
        steps.append(step)
        done.update(step)
    return steps


def _circle(queries: Sequence[ContinuousQuery], needs: Mapping[int, set[int]], done: set[int]) -> str:
    number = min(set(needs) - done)
    path: list[int] = []
    while number not in path:
        path.append(number)
        number = min(needs[number] - done)
    circle = [*path[path.index(number) :], number]
    return " reads ".join(queries[n].registration.name for n in circle)
