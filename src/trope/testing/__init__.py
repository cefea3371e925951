"""For tests of Trope, of backends others write, and of products around it: a fake server with real HTTP."""

from trope.testing.backends import check_detector, check_generator
from trope.testing.server import Behavior, FakeServer

__all__ = ["Behavior", "FakeServer", "check_detector", "check_generator"]
