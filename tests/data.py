"""Where the public test data is: next to the project, or where PRSP_TEST_DATA says. It is not part of the project."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("PRSP_TEST_DATA", ROOT.parent / "shared" / "data"))

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no public test data here; set PRSP_TEST_DATA to its folder")
