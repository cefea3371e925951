"""``python -m trope.testing`` starts the fake server."""

from trope.testing.server import main

main()
