"""A window as a folder: everything that is needed to ask any engine of it again, anywhere."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from prsp._version import __version__
from prsp.errors import InputError
from prsp.model.profile import PROFILES, Profile
from prsp.model.query import ContinuousQuery
from prsp.model.result import Boolean, RowSolutions
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.oracle import Answer, Solutions
from prsp.parse import parse_query
from prsp.verify import answer_in

FORMAT = "prsp-bundle-1"
_MANIFEST = "bundle.json"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A saved window: the query, its profile, what the streams contributed, the static graphs' files, and what the answer should be."""

    query: ContinuousQuery
    profile: Profile
    origin: int
    snapshot: Snapshot
    files: Mapping[str, str]
    expected: Answer | None
    reference: str


def save_bundle(folder: Path, text: str, profile: str, bundle: Bundle, *, overwrite: bool = False) -> None:
    """Write the window; ``text`` is the query as the user wrote it, ``profile`` the one in force with its overrides."""
    demand_place(folder, overwrite=overwrite)
    content: dict[str, bytes] = {"query.rq": text.encode(), "rho.rq": bundle.query.rho.text.encode()}
    contributions = []
    for number, c in enumerate(bundle.snapshot.contributions):
        name = f"window-{number}.nts"
        content[name] = b"".join(_timed(time, lines) for piece in c.slices for time, lines in piece.items())
        contributions.append({"stream": c.stream, "graph": c.graph, "open": c.open, "close": c.close, "elements": c.elements, "file": name})
    graphs = {}
    for number, (graph, file) in enumerate(bundle.files.items()):
        name = f"static-{number}{''.join(Path(file).suffixes[-2:])}"
        content[name], graphs[graph] = Path(file).read_bytes(), name
    answer = json.dumps(answer_document(bundle.expected), ensure_ascii=False, indent=1)
    content["expected.json"] = f"{answer}\n".encode("utf-8", "backslashreplace")
    # Not before all is read: static graphs may come from the very folder.
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    manifest = {
        "format": FORMAT,
        "prsp": __version__,
        "query": bundle.query.registration.name,
        "at": bundle.snapshot.at,
        "seq": bundle.snapshot.seq,
        "profile": profile,
        "origin": bundle.origin,
        "streams": contributions,
        "graphs": graphs,
        "reference": bundle.reference,
        "sha256": {name: sha256(data).hexdigest() for name, data in sorted(content.items())},
    }
    manifest["seal"] = _seal(manifest)
    # Last: a folder without it is no bundle.
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def demand_place(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder that is in use; with ``overwrite`` one that no window was saved in."""
    in_use = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if in_use and not (overwrite and (folder / _MANIFEST).exists()):
        raise InputError(f"{folder} exists and is not empty; give another folder" + ("" if overwrite else ", or --overwrite"))


def read_bundle(folder: Path) -> Bundle:
    """The window in a folder; InputError where it is not as it was saved."""
    manifest = _manifest(folder)
    try:
        return _bundle(folder, manifest)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        told = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{folder / _MANIFEST} is not as it was saved: {told}") from None


def _bundle(folder: Path, manifest: Mapping[str, Any]) -> Bundle:
    if manifest["seal"] != _seal(manifest):
        raise InputError(f"{folder / _MANIFEST} is not as it was saved: its seal is not its SHA-256")
    for name, expected in manifest["sha256"].items():
        if _digest(folder / name) != expected:
            raise InputError(f"{folder / name} is not as it was saved: its SHA-256 differs from the one in {_MANIFEST}")
    contributions = tuple(
        Contribution(c["stream"], c["graph"], c["open"], c["close"], _slices(folder / c["file"], number))
        for number, c in enumerate(manifest["streams"])
    )
    name = manifest["profile"].partition(";")[0]
    if name not in PROFILES:
        raise InputError(f"{folder}: this prsp knows no profile '{name}'; there is {', '.join(PROFILES)}")
    return Bundle(
        parse_query((folder / "query.rq").read_text(encoding="utf-8")),
        PROFILES[name],
        manifest["origin"],
        Snapshot(manifest["at"], manifest["seq"], contributions),
        {graph: str(folder / file) for graph, file in manifest["graphs"].items()},
        answer_in(json.loads((folder / "expected.json").read_bytes())),
        manifest["reference"],
    )


def answer_document(answer: Answer | None) -> dict[str, Any]:
    """An answer with the keys of a result line."""
    match answer:
        case None:
            return {"error": {"kind": "EngineError", "message": "the reference failed"}}
        case bool(value):
            return Boolean(value).frame()
        case Solutions(names, rows):
            return RowSolutions(tuple(names), list(rows)).frame()
        case triples:
            return {"triples": sorted(f"{s} {p} {o} ." for s, p, o in triples)}


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{folder} is no saved window: there is no {_MANIFEST} in it. prsp compare --save-window K DIR makes one"
        ) from None
    except ValueError as error:
        raise InputError(f"{folder / _MANIFEST}: {error}") from None
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if found != FORMAT:
        raise InputError(f"{folder / _MANIFEST} has format {found}; this prsp reads {FORMAT}")
    return manifest


def _seal(manifest: Mapping[str, Any]) -> str:
    """The hash of a manifest, but for itself."""
    return sha256(json.dumps({key: value for key, value in manifest.items() if key != "seal"}, sort_keys=True).encode()).hexdigest()


def _digest(file: Path) -> str | None:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _timed(time: int, lines: bytes) -> bytes:
    return b"".join(b"%s\t%d\n" % (line, time) for line in lines.split(b"\n") if line)


def _slices(file: Path, identity: int) -> tuple[HeldSlice, ...]:
    pairs = (line.rpartition(b"\t") for line in file.read_bytes().split(b"\n") if line)
    return (HeldSlice(tuple((int(time), triple + b"\n") for triple, _, time in pairs), identity),)
