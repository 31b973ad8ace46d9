"""A run that is going to be killed: ``python -m tests.backends.victim OPTIONS`` says on standard output how far it is.

It stops where it is told to (``prepared``, ``loaded``, ``evaluated``); with ``windows`` it goes on for ever, a line per window.
"""

import json
import sys
import time

from prsp.backend import open_backend, open_feed
from prsp.model.static import StaticData
from prsp.parse import parse_rho
from prsp.testing.windows import pane, snapshot_of_panes

QUERY = "SELECT ?s ?o ?n { ?s <urn:p> ?o . GRAPH <urn:test:window> { ?s <urn:q> ?n } }"
STATIC = StaticData({None: b"<urn:a> <urn:p> <urn:static> .\n", "urn:test:static": b"_:x <urn:p> <urn:static> .\n"})
NAMED = ("urn:test:window", "urn:test:static")
"""The graphs it has in the endpoint under their own names."""


def main(options: dict[str, str], stop: str) -> None:
    backend = open_backend("http", options)
    feed = open_feed(backend, parse_rho(QUERY), STATIC)
    say("prepared", stop)
    number = 0
    while True:
        streams = [(("one", None), b"p"), (("two", "urn:test:window"), b"q")]
        panes = [
            (stream, [pane(n, [b'_:s0_b%d <urn:%s> "%d" .\n' % (k, p, n * 100 + k) for k in range(50)]) for n in range(number, number + 3)])
            for stream, p in streams
        ]
        feed.give(snapshot_of_panes(panes, at=number))
        say("loaded", stop)
        assert len(feed.evaluate().frame()["results"]["bindings"]) > 0
        say("evaluated", stop)
        number += 1


def say(how_far: str, stop: str) -> None:
    print(how_far, flush=True)
    if how_far == stop:
        time.sleep(600)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2])
