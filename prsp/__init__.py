"""prsp: SPARQL engines, wired to RDF streams."""

from prsp._version import __version__

__all__ = ["__version__"]
