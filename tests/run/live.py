"""A live run in a process of its own, for tests that kill it: python -m tests.run.live FOLDER BACKEND OPTIONS OPERATOR."""

import json
import sys
import threading
from dataclasses import replace
from pathlib import Path

from prsp.backend import open_backend
from prsp.model import PROFILES, Operator
from prsp.parse import parse_query
from prsp.run import RunOptions, register, run_live
from prsp.source import StreamSource

QUERY = "REGISTER QUERY q AS SELECT ?o (COUNT(*) AS ?n) FROM STREAM s [RANGE 400ms STEP 150ms] { ?s ?p ?o } GROUP BY ?o ORDER BY ?o"


def main(folder: Path, backend: str, options_text: str, operator: str) -> None:
    engine = open_backend(backend, json.loads(options_text))
    options = RunOptions(
        register([parse_query(QUERY)], engine, replace(PROFILES["prsp"], operator=Operator(operator))),
        {"s": StreamSource("s", str(folder / "in"))},
        lateness=100,
        master="local[2]",
        checkpoint=str(folder / "checkpoint"),
        output=f"{folder}/out/",
        late=str(folder / "late.nts"),
    )
    stop = threading.Event()

    def wait_for_the_end() -> None:
        while not (folder / "stop").exists():
            stop.wait(0.1)
        stop.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    (folder / "summary.txt").write_text(str(run_live(options, stop)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
