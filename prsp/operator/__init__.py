"""Streaming operators: what of one answer after another comes out."""

from prsp.operator.difference import emitted, less
from prsp.operator.emitter import Emitter
from prsp.operator.refuse import refuse_operator

__all__ = ["Emitter", "emitted", "less", "refuse_operator"]
