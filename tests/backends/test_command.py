"""The command backend: with real arq and roqet, and with small programs that do everything wrong."""

import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from prsp.backend import Backend, Session, open_backend
from prsp.errors import DeadlineExceeded, EngineError, EnvironmentProblem, InputError
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import IRI, XSD, BlankNode, Literal
from prsp.parse import parse_rho
from prsp.testing import BackendConformance, checks
from prsp.testing.windows import snapshot_of
from prsp_backends.command import CommandBackend, read_description, shipped
from prsp_backends.command.placeholders import filled
from tests.engines import require_command
from tests.servers import arq_script

EX = "http://example.org/"
WINDOW = (
    f'<{EX}a> <{EX}temp> "20"^^<{XSD}integer> .\n<{EX}a> <{EX}label> "caf\u00e9"@fr .\n_:s0_x <{EX}temp> "3"^^<{XSD}integer> .\n'
).encode()
SELECT = f"SELECT ?s ?t {{ ?s <{EX}temp> ?t }}"


@pytest.fixture
def roqet() -> Backend:
    require_command("roqet", "apt-get install -y rasqal-utils")
    return open_backend("command", {"engine": "roqet"})


@pytest.fixture
def arq() -> Backend:
    return open_backend("command", {"engine": "arq", "program": str(arq_script())})


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which sessions make their directories."""
    place = tmp_path / "of the sessions"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@contextmanager
def opened(backend: Backend, query: str = SELECT, static: StaticData = NO_STATIC_DATA) -> Iterator[Session]:
    session = backend.prepare(parse_rho(query), static)
    try:
        yield session
    finally:
        session.close()


def answer(backend: Backend, query: str, graphs: dict[str | None, bytes], static: StaticData = NO_STATIC_DATA) -> Result:
    with opened(backend, query, static) as session:
        session.load(snapshot_of(graphs))
        return session.evaluate()


def rows(result: Result) -> list[tuple[object, ...]]:
    assert isinstance(result, Solutions)
    return sorted(result.rows(), key=str)


class TestRoqet(BackendConformance):
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "check" in metafunc.fixturenames:
            # Waits a minute for an answer that does not come.
            marks = {"gaps/large-windows": pytest.mark.long}
            found = [pytest.param(check, marks=marks.get(check.name, ()), id=str(check)) for check in checks(quick=self.quick)]
            metafunc.parametrize("check", found)

    @pytest.fixture
    def backend(self, roqet: Backend) -> Backend:
        return roqet


class TestArq(BackendConformance):
    quick = True

    @pytest.fixture
    def backend(self, arq: Backend) -> Backend:
        return arq


@pytest.mark.parametrize("engine", ["roqet", "arq"])
def test_forms_terms_and_static_data(engine: str, request: pytest.FixtureRequest) -> None:
    backend = request.getfixturevalue(engine)
    static = StaticData({None: f'<{EX}a> <{EX}temp> "20"^^<{XSD}integer> .\n<{EX}b> <{EX}temp> "7"^^<{XSD}integer> .\n'.encode()})
    found = rows(answer(backend, SELECT, {None: WINDOW + WINDOW}, static))
    # A triple that is in the window twice and static too is one triple.
    assert [t for _, t in found] == [Literal("3", XSD + "integer"), Literal("20", XSD + "integer"), Literal("7", XSD + "integer")]
    assert [type(s) for s, _ in found] == [BlankNode, IRI, IRI]
    assert rows(answer(backend, f"SELECT ?l {{ ?s <{EX}label> ?l }}", {None: WINDOW})) == [
        (Literal("caf\u00e9", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "fr"),)
    ]
    assert answer(backend, f"ASK {{ ?s <{EX}temp> 20 }}", {None: WINDOW}) == Boolean(True)
    assert answer(backend, f"ASK {{ ?s <{EX}temp> 21 }}", {None: WINDOW}) == Boolean(False)
    graph = answer(backend, f"CONSTRUCT {{ ?s <{EX}is> ?l }} WHERE {{ ?s <{EX}label> ?l }}", {None: WINDOW})
    assert isinstance(graph, Triples)
    assert graph.lines() == [f'<{EX}a> <{EX}is> "caf\u00e9"@fr .']
    nothing = answer(backend, SELECT, {None: b""})
    assert isinstance(nothing, Solutions)
    assert (nothing.variables, nothing.rows()) == (("s", "t"), [])


def test_named_graphs_on_arq(arq: Backend) -> None:
    named = f"<{EX}a> <{EX}in> _:s0_x .\n".encode()
    query = f"SELECT ?g ?t {{ GRAPH ?g {{ ?s <{EX}in> ?x }} ?x <{EX}temp> ?t }}"
    static = StaticData(
        {f"{EX}static": f"<{EX}b> <{EX}in> <{EX}c> .\n".encode(), None: f"<{EX}c> <{EX}temp> 1 .\n".replace(" 1 ", ' "1" ').encode()}
    )
    found = rows(answer(arq, query, {None: WINDOW, f"{EX}g": named}, static))
    # The blank node is the same in both graphs.
    assert found == [(IRI(f"{EX}g"), Literal("3", XSD + "integer")), (IRI(f"{EX}static"), Literal("1"))]


def test_a_named_window_is_not_lost_on_roqet(roqet: Backend) -> None:
    with pytest.raises(EngineError, match="N-Triples, which hold one graph"):
        answer(roqet, SELECT, {None: b"", f"{EX}g": WINDOW})


@pytest.mark.parametrize("engine", ["roqet", "arq"])
def test_an_error_is_told_in_the_engines_words(engine: str, request: pytest.FixtureRequest) -> None:
    backend = request.getfixturevalue(engine)
    with pytest.raises(EngineError, match=rf"{engine} could not answer \(exit code [12]\):\n"):
        answer(backend, SELECT, {None: b"<http://example.org/a> <http://example.org/temp> .\n"})


# Programs that are not what they should be.


def script(folder: Path, body: str, name: str = "engine") -> Path:
    """A program: Python, whatever its name."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport os, subprocess, sys, time\n{body}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def backend_of(program: Path, arguments: str = "{data} {query}", **options: str) -> Backend:
    return open_backend("command", {"query": f"'{program}' {arguments}", **options})


GOOD = """print('{"head":{"vars":["s","t"]},"results":{"bindings":[]}}')"""


def test_direct_options_are_enough(tmp_path: Path) -> None:
    body = 'given = open(sys.argv[1], "rb").read().decode()\nprint("?s\\t?t")\nprint(given.split()[0] + "\\t" + str(len(given)))'
    backend = backend_of(script(tmp_path, body), results="tsv")
    assert rows(answer(backend, SELECT, {None: WINDOW})) == [(IRI(f"{EX}a"), Literal(str(len(WINDOW.decode())), XSD + "integer"))]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("pass", "it is empty"),
        ("print('not json')", "not JSON, or cut short"),
        (GOOD.replace("]}}", "]"), "cut short"),
        (GOOD.replace('["s","t"]', '["s"]'), r"variables \?s where the query projects \?s \?t"),
        ("""print('{"head":{},"boolean":true}')""", "it is a truth value"),
        (GOOD + "\nsys.exit(3)", r"exit code 3"),
        (GOOD + "\nsys.stdout.flush()\nos.kill(os.getpid(), 9)", "ended by SIGKILL"),
        ("print('the disk is full', file=sys.stderr)\nsys.exit(1)", "the disk is full"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe')", "not UTF-8"),
    ],
)
def test_what_is_no_answer_is_an_error(tmp_path: Path, private: Path, body: str, told: str) -> None:
    with pytest.raises(EngineError, match=told):
        answer(backend_of(script(tmp_path, body)), SELECT, {None: WINDOW})
    assert not list(private.iterdir())


def test_words_on_stderr_may_mean_failure(tmp_path: Path) -> None:
    script(tmp_path, GOOD + "\nprint('parse error: line 1', file=sys.stderr)")
    text = 'name = "careless"\nquery = ["engine", "{data}"]\nerrors = ["^parse error"]\n[results]\nselect = "json"\n'
    (tmp_path / "careless.toml").write_text(text, encoding="utf-8")
    options = {"description": str(tmp_path / "careless.toml"), "program": str(tmp_path)}
    with pytest.raises(EngineError, match=r"careless could not answer:\n  parse error: line 1"):
        answer(open_backend("command", options), SELECT, {None: WINDOW})


def test_much_on_both_outputs_does_not_block(tmp_path: Path) -> None:
    body = "for _ in range(2000):\n    sys.stderr.write('w' * 1000)\n    sys.stdout.write(' ' * 1000)\n" + GOOD
    assert rows(answer(backend_of(script(tmp_path, body)), SELECT, {None: b""})) == []


def test_an_answer_has_a_limit(tmp_path: Path) -> None:
    body = "while True:\n    sys.stdout.write(' ' * 100000)"
    with pytest.raises(EngineError, match="larger than 1 MiB"):
        answer(backend_of(script(tmp_path, body), limit="1"), SELECT, {None: b""})


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan that nobody has waited for yet is dead all the same.
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z")


def gone(pids: list[int]) -> bool:
    end = time.monotonic() + 5
    while any(is_alive(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(is_alive(pid) for pid in pids)


TREE = """
child = subprocess.Popen([sys.executable, "-c", "import subprocess, sys, time; p = subprocess.Popen(['sleep', '600']);"
                          "print(p.pid, file=open(sys.argv[1] + '/inner', 'w'), flush=True); time.sleep(600)", HERE])
while not os.path.exists(HERE + "/inner") or not open(HERE + "/inner").read().endswith("\\n"):
    time.sleep(0.01)
print(os.getpid(), child.pid, open(HERE + "/inner").read(), file=open(HERE + "/pids", "w"), flush=True)
"""


@pytest.mark.parametrize("stage", ["load", "query"])
def test_a_deadline_ends_the_whole_tree(tmp_path: Path, private: Path, stage: str) -> None:
    hanging = script(tmp_path, f"HERE = {str(tmp_path)!r}{TREE}time.sleep(600)", "hanging")
    fine = script(tmp_path, GOOD, "fine")
    load, query = (hanging, fine) if stage == "load" else (fine, hanging)
    with opened(backend_of(query, load=f"'{load}' {{data}}")) as session:
        begun = time.monotonic()
        with pytest.raises(DeadlineExceeded, match="did not finish before its deadline"):  # noqa: PT012  # whichever of the two hangs
            session.load(snapshot_of({None: WINDOW}), deadline=begun + 1.5)
            session.evaluate(deadline=begun + 1.5)
        assert time.monotonic() - begun < 4
    pids = [int(word) for word in (tmp_path / "pids").read_text(encoding="utf-8").split()]
    assert len(pids) == 3
    assert gone(pids)
    assert not list(private.iterdir())


def test_what_a_command_leaves_running_is_ended(tmp_path: Path) -> None:
    program = script(tmp_path, f"HERE = {str(tmp_path)!r}{TREE}{GOOD}")
    begun = time.monotonic()
    assert rows(answer(backend_of(program), SELECT, {None: b""})) == []
    assert time.monotonic() - begun < 10
    assert gone([int(word) for word in (tmp_path / "pids").read_text(encoding="utf-8").split()[1:]])


def test_a_deadline_that_has_passed_starts_nothing_that_stays(tmp_path: Path) -> None:
    with opened(backend_of(script(tmp_path, "time.sleep(600)"))) as session:
        session.load(snapshot_of({None: WINDOW}))
        with pytest.raises(DeadlineExceeded):
            session.evaluate(deadline=time.monotonic() - 1)


def test_the_directory_is_private_and_goes_away(tmp_path: Path, private: Path) -> None:
    backend = backend_of(script(tmp_path, GOOD))
    with opened(backend) as session:
        session.load(snapshot_of({None: WINDOW}))
        (folder,) = private.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert (folder / "data.nt").read_bytes() == WINDOW
        session.evaluate()
    assert not folder.exists()
    abandoned = backend.prepare(parse_rho(SELECT), NO_STATIC_DATA)
    del abandoned
    assert not list(private.iterdir())


def test_nothing_is_read_by_a_shell(tmp_path: Path, private: Path) -> None:
    odd = tmp_path / '$(touch pwned) `touch pwned` \'a "b" ; touch pwned'
    odd.mkdir()
    told = "import json\njson.dump([sys.argv[1:], dict(os.environ), os.getcwd()], open(sys.argv[1], 'w'))\n"
    script(odd, told + GOOD)
    seen = odd / "seen"
    text = f'name = "odd"\nquery = ["engine", {str(seen)!r}, "{{args}}", "x={{text}}", "{{data}}"]\n[results]\nselect = "json"\n'
    text = text.replace(repr(str(seen)), '"""' + str(seen).replace('"', '\\"') + '"""')
    (tmp_path / "odd.toml").write_text(text, encoding="utf-8")
    query = "SELECT ?s ?t { ?s ?t '$(touch pwned) {data}' }"
    options = {"description": str(tmp_path / "odd.toml"), "program": str(odd), "args": "'; touch pwned' $(touch pwned) {data}"}
    answer(open_backend("command", options), query, {None: b""})
    arguments, environment, directory = json.loads(seen.read_text(encoding="utf-8"))
    assert arguments[1:6] == ["; touch pwned", "$(touch", "pwned)", "{data}", f"x={query}"]
    assert arguments[6].endswith("data.nt")
    assert Path(directory).parent == private
    assert not list(tmp_path.rglob("pwned"))
    assert (
        {"HOME", "TMPDIR", "LANG", "LC_ALL", "PATH", "TZ"}
        <= set(environment)
        <= {"HOME", "TMPDIR", "LANG", "LC_ALL", "PATH", "TZ", "LC_CTYPE"}
    )


def test_a_session_builds_a_new_database_for_each_window(tmp_path: Path) -> None:
    script(tmp_path, "os.mkdir(sys.argv[1])\nopen(sys.argv[1] + '/n', 'w').write(str(len(open(sys.argv[2]).readlines())))", "build")
    script(
        tmp_path,
        "n = open(sys.argv[1] + '/n').read()\nopen(sys.argv[2], 'w').write('?s\\t?t\\n<x>\\t' + n + '\\n')\nprint('chatter')",
        "ask",
    )
    text = 'name = "two"\nload = ["build", "{database}", "{data}"]\nquery = ["ask", "{database}", "{output}"]\n[results]\nselect = "tsv"\n'
    (tmp_path / "two.toml").write_text(text, encoding="utf-8")
    with opened(open_backend("command", {"description": str(tmp_path / "two.toml"), "program": str(tmp_path)})) as session:
        for number, data in enumerate([WINDOW, b"", WINDOW]):
            session.load(snapshot_of({None: data}, number=number))
            assert rows(session.evaluate()) == [(IRI("x"), Literal(str(data.count(b"\n")), XSD + "integer"))]


def test_a_missing_program_is_told_with_its_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem, match="there is no program roqet: apt-get install rasqal-utils"):
        open_backend("command", {"engine": "roqet"}).prepare(parse_rho(SELECT), NO_STATIC_DATA)
    with pytest.raises(EnvironmentProblem, match="nowhere is no program that can be run"):
        open_backend("command", {"engine": "roqet", "program": "nowhere"}).prepare(parse_rho(SELECT), NO_STATIC_DATA)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "needs one of --option engine=, description= or query=; given: none"),
        ({"engine": "roqet", "query": "x"}, "given: engine and query"),
        ({"engine": "roqet", "results": "xml"}, "results= goes with query="),
        ({"engine": "rocket"}, "no description of 'rocket'; there are arq, gstore, rdf3x, roqet"),
        ({"query": "x {dtaa}"}, r"no placeholder \{dtaa\}"),
        ({"query": "x '"}, "No closing quotation"),
        ({"query": "x", "results": "yaml"}, "'yaml' is none of json, xml"),
        ({"query": "x", "limit": "many"}, "it is a number of MiB"),
        ({"description": "nowhere.toml"}, "cannot read the description nowhere.toml"),
    ],
)
def test_options_that_cannot_be_used(options: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        open_backend("command", options)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('name = "x"\nquery = ["x" "y"]\n', "is no TOML: .*line 2"),
        ('name = "x"\nqueri = ["x"]\n', "line 2: 'queri': there is no such key; did you mean 'query'"),
        ('name = "x"\n[results]\nselect = "json"\n', "'query': it is missing"),
        ('name = "x"\nquery = "x {data}"\n[results]\nselect = "json"\n', "line 2: 'query': it is a list of strings"),
        ('name = "x"\nquery = ["x", "{nope}"]\n[results]\nselect = "json"\n', r"line 2: 'query': there is no placeholder \{nope\}"),
        ('name = "x"\nquery = ["{data}"]\n[results]\nselect = "json"\n', "line 2: 'query': the program has a fixed name"),
        ('name = "x"\nquery = ["x"]\ndata = "ttl"\n[results]\nselect = "json"\n', "line 3: 'data': it is nt or nq, not 'ttl'"),
        ('name = "x"\nquery = ["x"]\n[results]\nselect = "ntriples"\n', r"line 4: 'select' in \[results\]: ntriples cannot hold"),
        ('name = "x"\nquery = ["x"]\n[results]\nask = "tsv"\n', r"line 4: 'ask' in \[results\]: tsv cannot hold"),
        ('name = "x"\nquery = ["x"]\n[results]\nselect = "yaml"\n', r"line 4: 'select' in \[results\]: it is a format"),
        ('name = "x"\nquery = ["x"]\n[results]\nselect = { format = "json", exit = [] }\n', r"line 4: .*'exit' a list of numbers"),
        ('name = "x"\nquery = ["x"]\n[results]\nselects = "json"\n', r"line 4: 'selects' in \[results\]"),
        ('name = "x"\nquery = ["x"]\nerrors = ["("]\n[results]\nselect = "json"\n', "line 3: 'errors': .* no regular expression"),
        ('name = "x"\nquery = ["x"]\nverified = "no"\n[results]\nselect = "json"\n', "line 3: 'verified': it is true or false"),
        ('name = "x"\nquery = ["x"]\n[results]\nselect = "json"\n[gaps]\nminos = "no"\n', r"line 6: 'minos' in \[gaps\]: .*'minus'"),
        ('name = "x"\nquery = ["x"]\n[results]\nselect = "json"\n[gaps]\nminus = ""\n', r"line 6: 'minus' in \[gaps\]: it is a reason"),
    ],
)
def test_a_wrong_description_is_told_by_key_and_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "engine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_description(path)


def test_the_shipped_descriptions_have_the_right_form() -> None:
    read = {name: read_description(path) for name, path in shipped().items()}
    assert {name: description.verified for name, description in read.items()} == {
        "arq": True,
        "gstore": False,
        "rdf3x": False,
        "roqet": True,
    }
    for name, description in read.items():
        assert (description.name, bool(description.install), bool(description.about)) == (name, True, True)
        backend = CommandBackend.from_options({"engine": name})
        told = backend.explain(parse_rho(SELECT))
        assert told.startswith(f"{name} is run anew for every window: {description.about}")
        assert ("unverified" in told) is not description.verified
        assert set(backend.capabilities.gaps) >= set(CommandBackend.capabilities.gaps)


def test_who_is_unverified_is_told_where_the_engines_are_listed() -> None:
    (engine,) = (option for option in CommandBackend.options if option.name == "engine")
    assert engine.help.endswith("arq, gstore (unverified), rdf3x (unverified), roqet")


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    assert filled(["p", "{text}", "-{data}-"], {"text": "{data}", "data": "{text} "}, ["{data}"]) == ["p", "{data}", "-{text} -", "{data}"]
    assert filled(["p", "{args}", "{data}"], {"data": "d"}, ["a", "b"]) == ["p", "a", "b", "d"]
