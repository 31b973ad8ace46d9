"""Any SPARQL engine that is a program: described in a few lines of TOML, run once per window."""

from prsp_backends.command.backend import CommandBackend
from prsp_backends.command.description import Answer, Data, Description
from prsp_backends.command.reading import read_description, shipped

__all__ = ["Answer", "CommandBackend", "Data", "Description", "read_description", "shipped"]
