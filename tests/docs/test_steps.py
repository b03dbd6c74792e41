"""The steps of a day among the decisions on the admin site are those that the browser counts."""

import re

from tests.browser.day.test_day import EXPECTED
from tests.docs.pages import DOCS, section


def test_the_table_has_what_was_counted() -> None:
    table = section(DOCS / "decisions" / "staff.md", "## Steps of a day")
    rows = re.findall(r"^\| ([A-Z].*?) \| (\d+) \| (\d+) \|$", table, re.MULTILINE)
    assert {name: (int(clicks), int(pages)) for name, clicks, pages in rows} == EXPECTED
