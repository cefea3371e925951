"""Similes that models write and other models judge, until every class has every template.

::

    prompts.toml   what writers and judges are asked
    phrases.py     the phrase of a pair of class and template; irregular nouns have forms of their own
    prompts.py     requests: decoding settings as published, and how a yes or no is read
    surface.py     replies put into one spelling
    conformity.py  sentence to item, or the reason why not
    groups.py      points to groups G1..G5
    loop.py        rounds of writing and judging until every pair has a sentence, or a budget ends
    tables.py      what was built, counted
    output.py      the files that are written
"""
