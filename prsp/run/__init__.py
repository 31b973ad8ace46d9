"""The run: everything wired, from query and streams to answers. The only package that knows all the others."""

from prsp.run.bounded import BoundedRun
from prsp.run.chain import read_from_outside
from prsp.run.live import run_live
from prsp.run.options import Registered, RunOptions, Status, Where
from prsp.run.register import register
from prsp.run.summary import Summary
from prsp.run.written import run_bounded

__all__ = [
    "BoundedRun",
    "Registered",
    "RunOptions",
    "Status",
    "Summary",
    "Where",
    "read_from_outside",
    "register",
    "run_bounded",
    "run_live",
]
