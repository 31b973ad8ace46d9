"""Sinks: where results go, and in which form."""

from prsp.sink.callback import CallbackSink, NobodyTakes
from prsp.sink.file import FileSink
from prsp.sink.folder import FolderSink
from prsp.sink.formats import Format, encoder_of
from prsp.sink.open import is_folder, open_sink
from prsp.sink.sink import Encoder, Sink

__all__ = ["CallbackSink", "Encoder", "FileSink", "FolderSink", "Format", "NobodyTakes", "Sink", "encoder_of", "is_folder", "open_sink"]
