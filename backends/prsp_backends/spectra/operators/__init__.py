"""The algebra over signed bags of rows, one operator per file."""
