"""Every place that the glossary names is there."""

import re

from tests.packages import ROOT


def test_each_place_of_the_glossary_exists() -> None:
    rows = [line for line in (ROOT / "docs/glossary.md").read_text().splitlines() if line.startswith("| ")]
    places = [place for row in rows for place in re.findall(r"`([\w/]+(?:\.py)?)`", row.split("|")[3])]
    assert len(places) > 40
    assert [place for place in places if not (ROOT / place).exists()] == []
