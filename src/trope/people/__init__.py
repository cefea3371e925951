"""People as judges: studies, their pages, their answers. An answer is an observation of ``person:ID``.

::

    design.py        what is asked of whom (study.toml);  book.py  what was drawn, assigned, invited (study.sqlite)
    frame.py         units, pages, tasks: from a run, from items;  runs.py  cells of a run
    sampling.py      strata, inclusion probabilities, the next draw;  assignment.py  overlap, loads, orders
    making.py        new studies, further draws, invitations
    desk.py          what a rater sees next, and how an answer is stored;  answers.py  what stands in the store
    app.py           a rater's pages;  entrance.py  links;  coordinator.py;  server.py  all of it served
    guard.py         limits before every page;  session.py  who is asking;  tokens.py;  pages.py  what templates get
    status.py        how a study stands, rater by rater
    verification.py  items checked and edited;  pairs.py  those with m3r's labels
    adjudication.py  what raters did not agree on;  queue.py  and how it is asked again
    sheet.py         people and judges lined up;  agreement.py, corrected.py  tables;  joining.py  with a run
    interchange/     CSV and Label Studio, both ways;  texts/, templates/  pages in four languages
"""
