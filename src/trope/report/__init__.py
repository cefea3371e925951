"""Reports: a folder that opens from file://, or tables as md, csv, json, pdf."""

from trope.report.formats import as_csv, as_json, as_markdown, as_pdf
from trope.report.site import write_site

__all__ = ["as_csv", "as_json", "as_markdown", "as_pdf", "write_site"]
