"""The matrix of runs: engines, operators, places and ways of feeding, over many queries, against the oracle."""
