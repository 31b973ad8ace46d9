"""Sources: where a stream comes from, and its lines or graphs with their timestamps."""

from prsp.source.batch import Batch, Reject
from prsp.source.files import SourceFile, StreamFormat, StreamSource, resolve
from prsp.source.read import Split, read_split, splits_of

__all__ = ["Batch", "Reject", "SourceFile", "Split", "StreamFormat", "StreamSource", "read_split", "resolve", "splits_of"]
