"""Any SPARQL 1.1 endpoint over HTTP."""

from prsp_backends.http.backend import HttpBackend

__all__ = ["HttpBackend"]
