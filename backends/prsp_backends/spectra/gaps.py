"""What SPECTRA does not evaluate itself."""

from __future__ import annotations


class Gap(Exception):
    """A construct outside the incremental algebra: its topic, and why."""

    def __init__(self, topic: str, reason: str) -> None:
        super().__init__(reason)
        self.topic = topic
        self.reason = reason
