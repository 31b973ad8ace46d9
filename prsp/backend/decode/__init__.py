"""An engine's answer as bytes, checked and made a result: truncated, wrong or empty bytes are an error, never an empty answer."""

from prsp.backend.decode.formats import Format, decode
from prsp.backend.decode.ntriples import decode_ntriples
from prsp.backend.decode.srj import decode_json
from prsp.backend.decode.srx import decode_xml
from prsp.backend.decode.tables import decode_csv, decode_tsv

__all__ = ["Format", "decode", "decode_csv", "decode_json", "decode_ntriples", "decode_tsv", "decode_xml"]
