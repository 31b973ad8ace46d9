"""Tries a write again a few times: a full disk may have room in a moment."""

from __future__ import annotations

import time
from collections.abc import Callable

from prsp.errors import OutputFailed

PAUSES = (0.1, 0.5, 2.0)
"""Seconds before the second, third and last try."""


def persistently(step: Callable[[], None], output: str) -> None:
    """Do a step that can be done again after it failed; OutputFailed when it never works."""
    for pause in (*PAUSES, None):
        try:
            return step()
        except BrokenPipeError:
            raise  # the reader has gone: it will not come back
        except OSError as error:
            if pause is None:
                raise OutputFailed(
                    f"{output}: {error.strerror or error}, also when tried {len(PAUSES) + 1} times; "
                    "nothing that was committed is lost: make room and run again (with --checkpoint it goes on from there)"
                ) from error
            time.sleep(pause)
    return None
