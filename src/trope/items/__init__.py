"""Items: reading them, checking them, counting them. Sets that ship are found by name.

::

    reading.py     a file to items; items to JSON lines, and their hash
    files.py       which reader; the schema; ids
    encodings.py   bytes to text
    sheets.py      CSV and TSV to a table of cells;  workbooks.py  Excel
    columns.py     which column is which field
    records.py     rows of a table to items, value by value
    swaps.py       columns that hold each other's values
    missing.py     marks for nothing, cells with several things
    findings.py    what reading came upon
    checks.py      check_items;  rules/  the rules themselves
    tfidf.py       character TF-IDF and the pairs that are alike
    words.py       words of a text, and lists of words
    sample.py      cells, stratified samples;  tables.py  the tables of a set
    sets.py        the sets that ship
"""

from trope.items.checks import Problem, check_items, check_rules
from trope.items.findings import Finding, ItemFile
from trope.items.reading import dump_items, inspect_items, items_digest, parse_items, read_items
from trope.items.records import How
from trope.items.sample import cells_of, stratified
from trope.items.sets import SETS, load_items, load_set

__all__ = [
    "SETS",
    "Finding",
    "How",
    "ItemFile",
    "Problem",
    "cells_of",
    "check_items",
    "check_rules",
    "dump_items",
    "inspect_items",
    "items_digest",
    "load_items",
    "load_set",
    "parse_items",
    "read_items",
    "stratified",
]
