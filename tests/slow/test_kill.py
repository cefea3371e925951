"""200 kills."""

import pytest

from tests.slow.kill import main


@pytest.mark.slow
def test_two_hundred_kills() -> None:
    main(kills=200)
