"""Visual metaphors out of pictures: annotated, written up, asked about, checked by people, released without pictures.

::

    addresses.py   which addresses may be connected to
    robots.py      what a site lets a program fetch
    fetch.py       one picture from the web: bounded, checked, never from a private address
    sources.py     a folder of pictures, or a list of addresses
    records.py     what the stages hand on: annotation, prompts, wrong options
    prompts.py     what the model is asked in each stage, and how replies are read; the words lie in wordings/
    files.py       stage files that a person may edit: what was edited is kept
    stages.py      the three stages, each from the files of those before
    items.py       a finished record as an item, with what the validators say
    sheet.py       the sheet for people, out and back
    release.py     what is given away: addresses, annotations, prompts, questions, and no pictures
    croissant.py   its metadata for machines
"""
