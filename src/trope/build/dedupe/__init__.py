"""De-duplication of image-text pairs: cleaning, exact duplicates, near duplicates, one canonical record each.

::

    records.py     a folder or a table to pairs of picture and text
    cleaning.py    what is stripped from a text
    hashes.py      three 64-bit hashes of a picture
    neighbors.py   all pairs of hashes within a distance
    likeness.py    how alike two pictures, or two texts, are
    decisions.py   the rules, the groups, the manifest
"""

from trope.build.dedupe.decisions import Cleaned, Rules, dedupe
from trope.build.dedupe.records import PairRecord, read_pairs

__all__ = ["Cleaned", "PairRecord", "Rules", "dedupe", "read_pairs"]
