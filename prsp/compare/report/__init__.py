"""What a comparison came to, for readers: a page, figures, a terminal's tables, CSV."""

from prsp.compare.report.csv_text import csv_rows
from prsp.compare.report.html import html_report
from prsp.compare.report.svg import figures
from prsp.compare.report.table import show

__all__ = ["csv_rows", "figures", "html_report", "show"]
