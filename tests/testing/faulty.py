"""Backends with one fault each: Oxigraph behind a session that does one thing wrong."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from prsp.backend import Backend, Option, Requirement, open_backend
from prsp.errors import DeadlineExceeded, EngineError
from prsp.model.ability import Ability, Capabilities
from prsp.model.delta import Delta
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.result import Changes, Result, Row, RowSolutions, Solutions, solutions
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import IRI, XSD, BlankNode, Literal, Term


class Sound:
    """A session without a fault; the others differ from it in one place."""

    mode: ClassVar[str] = "snapshot"
    gaps: ClassVar[Mapping[Feature | Ability, str]] = {}
    faults: ClassVar[Mapping[str, str]] = {}
    beyond: ClassVar[frozenset[Feature | Ability]] = frozenset({Ability.DEADLINE, Ability.CHANGES})

    def __init__(self, rho: Rho, static: StaticData) -> None:
        self.rho, self.static = rho, static
        self.inner: Any = open_backend("oxigraph", {"mode": self.mode}).prepare(rho, static)

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        self.inner.load(snapshot)

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        self.inner.apply(delta)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        result: Result = self.inner.evaluate()
        return self.altered(result) if isinstance(result, Solutions) else result

    def altered(self, result: Solutions) -> Solutions:
        return result

    def close(self) -> None:
        self.inner.close()


def _each(result: Solutions, change: Callable[[Term], Term]) -> Solutions:
    return solutions(result.variables, [tuple(None if term is None else change(term) for term in row) for row in result.rows()])


class DropsASolution(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return solutions(result.variables, result.rows()[1:])


class DuplicatesASolution(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return solutions(result.variables, result.rows()[:1] + result.rows())


class LosesDatatypes(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return _each(result, lambda t: Literal(t.lexical) if isinstance(t, Literal) and t.language is None else t)


class LosesLanguages(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return _each(result, lambda t: Literal(t.lexical) if isinstance(t, Literal) and t.language is not None else t)


class IntegersAreDecimals(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return _each(
            result, lambda t: replace(t, datatype=XSD + "decimal") if isinstance(t, Literal) and t.datatype == XSD + "integer" else t
        )


class LosesUnboundColumns(Sound):
    def altered(self, result: Solutions) -> Solutions:
        rows = result.rows()
        kept = [i for i in range(len(result.variables)) if any(row[i] is not None for row in rows)] or [*range(len(result.variables))]
        return solutions([result.variables[i] for i in kept], [tuple(row[i] for i in kept) for row in rows])


class LosesTheOrder(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return solutions(result.variables, result.rows()[::-1])


class BlankNodesApart(Sound):
    """Every mention of a blank node in an answer is a node of its own."""

    def altered(self, result: Solutions) -> Solutions:
        numbers = iter(range(1_000_000))
        return _each(result, lambda t: BlankNode(f"{t.label}{next(numbers)}") if isinstance(t, BlankNode) else t)


class IgnoresDeltas(Sound):
    mode = "delta"

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        pass


def _without_net(inner: Any, delta: Delta, kept: Mapping[str | None, set[bytes]]) -> None:
    """Apply the raw change blindly, but for lines that are kept."""
    net = {
        graph: replace(
            own,
            removed=own.removed
            | {line for s in delta.changes[graph].left for line in s.data().split(b"\n") if line and line not in kept.get(graph, set())},
        )
        for graph, own in delta.net().items()
    }
    inner.apply(Delta(delta.before, delta.after, delta.changes, lambda: net))


class RemovesWhatIsStatic(Sound):
    mode = "delta"

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        _without_net(self.inner, delta, {graph: set(delta.after.data(graph).split(b"\n")) for graph in delta.after.graphs})


class RemovesWhatIsInAnotherPane(Sound):
    mode = "delta"

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        _without_net(self.inner, delta, {graph: set(lines.split(b"\n")) for graph, lines in self.static.graphs.items()})


class LoadsOnTopOfDeltas(Sound):
    """What a delta added survives the next whole window."""

    mode = "delta"
    added = b""

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        more = Contribution("more", None, 0, 1, (HeldSlice(((0, self.added),), identity=-1),))
        super().load(replace(snapshot, contributions=(*snapshot.contributions, more)))

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        super().apply(delta)
        self.added += b"".join(line + b"\n" for graph, net in delta.net().items() if graph is None for line in net.added)


class KeepsThePreviousWindow(Sound):
    last: Snapshot | None = None

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        before = self.last.contributions if self.last is not None else ()
        self.last = snapshot
        super().load(replace(snapshot, contributions=snapshot.contributions + before))


class IgnoresNamedGraphs(Sound):
    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        super().load(replace(snapshot, contributions=tuple(replace(c, graph=None) for c in snapshot.contributions)))


class ForgetsStaticData(Sound):
    def __init__(self, rho: Rho, static: StaticData) -> None:
        super().__init__(rho, NO_STATIC_DATA)


class TheWindowIsABag(Sound):
    often = 1

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        lines = Counter(line for graph in snapshot.graphs for line in snapshot.data(graph).split(b"\n") if line)
        self.often = max(lines.values(), default=1)
        super().load(snapshot)

    def altered(self, result: Solutions) -> Solutions:
        return solutions(result.variables, result.rows() * self.often)


class MixesSessions(Sound):
    shared: ClassVar[list[Snapshot]] = []

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        self.shared[:] = [snapshot]

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        self.inner.load(self.shared[0])
        return super().evaluate()


@dataclass(frozen=True)
class _ReadLate(Solutions):
    session: Sound
    names: tuple[str, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        return self.names

    def rows(self) -> list[Row]:
        result = self.session.inner.evaluate()
        return result.rows() if isinstance(result, Solutions) else []


class ReadsAnswersLate(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return _ReadLate(self, result.variables)


class SwallowsErrors(Sound):
    def __init__(self, rho: Rho, static: StaticData) -> None:
        self.bad = False
        try:
            super().__init__(rho, static)
        except EngineError:
            self.bad = True
            super().__init__(replace(rho, text="SELECT * {}"), static)

    def altered(self, result: Solutions) -> Solutions:
        return solutions((), []) if self.bad else result


class EmptyOnFailure(Sound):
    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        try:
            return super().evaluate()
        except EngineError:
            return solutions(self.rho.variables, [])


class LetsExceptionsThrough(Sound):
    def __init__(self, rho: Rho, static: StaticData) -> None:
        try:
            super().__init__(rho, static)
        except EngineError as error:
            raise ValueError(str(error)) from error


class BreaksForGood(Sound):
    """After the first error nothing works any more."""

    broken: ClassVar[list[str]] = []

    def __init__(self, rho: Rho, static: StaticData) -> None:
        try:
            super().__init__(rho, static)
        except EngineError as error:
            self.broken.append(str(error))
            raise
        if self.broken:
            raise EngineError("it is broken")


class Hangs(Sound):
    beyond = frozenset({Ability.CHANGES})

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        while deadline is not None:
            time.sleep(0.1)
        return super().evaluate()


class AnswersWrongInTime(Sound):
    """A deadline that passes is an empty answer."""

    beyond = frozenset({Ability.CHANGES})

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        return super().evaluate() if deadline is None else solutions(self.rho.variables, [])


class AlwaysTooLate(Sound):
    beyond = frozenset({Ability.CHANGES})

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        if deadline is not None:
            raise DeadlineExceeded("no time for this")
        return super().evaluate()


class _Disagrees(RowSolutions):
    def json(self) -> bytes:
        return solutions(self.names, self.solutions[:-1]).json()


class ViewsDisagree(Sound):
    def altered(self, result: Solutions) -> Solutions:
        return _Disagrees(result.variables, result.rows())


class ClosesOnce(Sound):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise EngineError("it is closed already")
        self.closed = True
        super().close()


class ChangesOfRows(Sound):
    """Changes as they should be."""

    mode = "delta"
    beyond = frozenset({Ability.DEADLINE})
    before: Solutions | None = None

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        result = super().evaluate()
        self.before = result if isinstance(result, Solutions) else None
        return result

    def changes(self, /, *, deadline: float | None = None) -> Changes:
        last = Counter(self.before.rows() if self.before is not None else [])
        result = self.evaluate()
        assert isinstance(result, Solutions)
        now = Counter(result.rows())
        return Changes(solutions(result.variables, (now - last).elements()), solutions(result.variables, (last - now).elements()))


class SolutionsOnly(ChangesOfRows):
    gaps: ClassVar[Mapping[Feature | Ability, str]] = {Feature.CONSTRUCT: "changes of rows only"}


class ForgetsRemovedRows(SolutionsOnly):
    def changes(self, /, *, deadline: float | None = None) -> Changes:
        change = super().changes()
        return Changes(change.added, solutions(self.rho.variables, []))


class ChangesAsASet(SolutionsOnly):
    def changes(self, /, *, deadline: float | None = None) -> Changes:
        change = super().changes()
        assert isinstance(change.added, Solutions)
        return Changes(solutions(self.rho.variables, dict.fromkeys(change.added.rows())), change.removed)


class DeclaresTooMuch(Sound):
    gaps: ClassVar[Mapping[Feature | Ability, str]] = {Feature.OPTIONAL: "never tried"}


class DiesOfADeclaredGap(Sound):
    """What it declares it does not do is no error of ours."""

    gaps: ClassVar[Mapping[Feature | Ability, str]] = {Feature.OPTIONAL: "it knows no OPTIONAL"}

    def __init__(self, rho: Rho, static: StaticData) -> None:
        if Feature.OPTIONAL in rho.features:
            raise KeyError("leftjoin")
        super().__init__(rho, static)


class HangsInADeclaredGap(DiesOfADeclaredGap):
    def __init__(self, rho: Rho, static: StaticData) -> None:
        Sound.__init__(self, rho, static)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        while Feature.OPTIONAL in self.rho.features:
            time.sleep(0.1)
        return super().evaluate()


class RefusesADeclaredGap(DiesOfADeclaredGap):
    """As it should be."""

    def __init__(self, rho: Rho, static: StaticData) -> None:
        if Feature.OPTIONAL in rho.features:
            raise EngineError("it knows no OPTIONAL")
        Sound.__init__(self, rho, static)


class DeclaresAFaultItHasNot(Sound):
    faults: ClassVar[Mapping[str, str]] = {"forms/select": "it was so once"}


class DeclaresAFaultOfNoCheck(Sound):
    faults: ClassVar[Mapping[str, str]] = {"forms/selct": "a slip of the pen"}


class DeclaresNoReason(Sound):
    gaps: ClassVar[Mapping[Feature | Ability, str]] = {Feature.CUSTOM_FUNCTIONS: " "}


@dataclass(frozen=True)
class Faulty(Backend):
    """Oxigraph with a session of this kind."""

    session: type[Sound]

    name: ClassVar[str] = "faulty"
    about: ClassVar[str] = "Oxigraph with a fault"
    options: ClassVar[tuple[Option, ...]] = ()
    requires: ClassVar[tuple[Requirement, ...]] = ()

    @property
    def capabilities(self) -> Capabilities:
        own = open_backend("oxigraph", {"mode": self.session.mode}).capabilities
        gaps = {gap: why for gap, why in own.gaps.items() if gap in self.session.beyond or gap not in {Ability.DEADLINE, Ability.CHANGES}}
        return Capabilities({**gaps, **self.session.gaps}, {**own.faults, **self.session.faults})

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        raise NotImplementedError

    def prepare(self, rho: Rho, static: StaticData, /) -> Sound:
        return self.session(rho, static)


@dataclass(frozen=True)
class DoesNotPickle(Faulty):
    """Holds something that cannot be sent elsewhere."""

    about_it: Callable[[], IRI] = lambda: IRI("http://example.org/")
