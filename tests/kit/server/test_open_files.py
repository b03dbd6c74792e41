"""The limit of open files, in a process of its own."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.once
PROGRAM = """
import resource
from kit.server.open_files import allow_open_files
resource.setrlimit(resource.RLIMIT_NOFILE, ({allowed}, {most}))
allow_open_files({wanted})
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("allowed", "most", "wanted", "then"),
    [(200, 400, 300, "300 400"), (200, 400, 9000, "400 400"), (200, 400, 100, "200 400")],
)
def test_it_is_raised_as_far_as_is_wanted_and_possible(allowed: int, most: int, wanted: int, then: str) -> None:
    program = PROGRAM.format(allowed=allowed, most=most, wanted=wanted)
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == then
