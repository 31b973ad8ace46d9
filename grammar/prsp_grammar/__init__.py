"""The grammars, as files: ``sparql.lark`` and one file per dialect that extends it."""
