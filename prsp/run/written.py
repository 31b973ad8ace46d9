"""A bounded run whose evaluations are written as they come."""

from __future__ import annotations

from contextlib import closing as closed
from dataclasses import replace

from prsp.run.bounded import BoundedRun
from prsp.run.checkpoint import outputs_are_its_own, record
from prsp.run.options import RunOptions
from prsp.run.output import Outputs, closing
from prsp.run.summary import Summary
from prsp.source import resolve


def run_bounded(options: RunOptions) -> Summary:
    """Run to the end of the input; the summary's counts add up."""
    files = {iri: resolve(source) for iri, source in options.sources.items()}
    if outputs_are_its_own(options, files):
        options = replace(options, overwrite=True)
    with closed(BoundedRun(options)) as run, closing(Outputs(options)) as outputs:
        record(options, files)
        for evaluation in run:
            with run.summary.stage("output"):
                outputs.write(evaluation)
    return run.summary
