"""The pictures of docs/staff.md: each is on the page and taken by the day's script, and they stay small."""

import re

from tests.docs.pages import DOCS, STAFF
from tests.packages import ROOT

PICTURES = sorted((DOCS / "images").glob("*.webp"))
LARGEST, ALL = 60_000, 600_000
"""Bytes."""


def test_the_page_shows_the_pictures_that_the_script_takes() -> None:
    shown = re.findall(r"!\[.+?\]\(images/(.+?)\.webp\)", STAFF.read_text())
    scripts = "".join(path.read_text() for path in (ROOT / "tests" / "browser" / "day").glob("*.py"))
    taken = re.findall(r'staff\.picture\("(.+?)"', scripts)
    assert sorted(shown) == sorted(taken) == sorted(path.stem for path in PICTURES)


def test_they_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in PICTURES}
    assert [name for name, size in sizes.items() if size > LARGEST] == []
    assert sum(sizes.values()) <= ALL
