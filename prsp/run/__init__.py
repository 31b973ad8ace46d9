"""The run: everything wired, from query and streams to answers. The only package that knows all the others."""

from prsp.run.bounded import run_bounded
from prsp.run.live import run_live
from prsp.run.options import RunOptions
from prsp.run.static import static_data
from prsp.run.summary import Summary

__all__ = ["RunOptions", "Summary", "run_bounded", "run_live", "static_data"]
