"""The short version of tests/slow/kill.py: a real run, really killed."""

from tests.slow.kill import main


def test_a_killed_run_loses_nothing_and_asks_nothing_twice() -> None:
    main(kills=4, seed=1)
