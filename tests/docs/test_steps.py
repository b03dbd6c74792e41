"""The steps of a day in docs/performance.md are those that the browser counts."""

import re

from tests.browser.day.test_day import EXPECTED
from tests.docs.pages import DOCS, section


def test_the_table_has_what_was_counted() -> None:
    table = section(DOCS / "performance.md", "## Steps of a day on the admin site")
    rows = re.findall(r"^\| ([A-Z].*?) \| (\d+) \| (\d+) \|$", table, re.MULTILINE)
    assert {name: (int(clicks), int(pages)) for name, clicks, pages in rows} == EXPECTED
