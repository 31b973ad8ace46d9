"""Many engines, identical windows: measured, checked, reported."""

from prsp.compare.again import replaying
from prsp.compare.asked import ORACLE, Asked
from prsp.compare.bundle import Bundle, read_bundle
from prsp.compare.case import Case
from prsp.compare.comparison import Compared, compare
from prsp.compare.contender import Contender, contenders, installed, labelled_name
from prsp.compare.document import document, experiment
from prsp.compare.replay import Replayed, replay

__all__ = [
    "ORACLE",
    "Asked",
    "Bundle",
    "Case",
    "Compared",
    "Contender",
    "Replayed",
    "compare",
    "contenders",
    "document",
    "experiment",
    "installed",
    "labelled_name",
    "read_bundle",
    "replay",
    "replaying",
]
