"""The glossary is short, and every place that it names is there."""

import re

from tests.packages import ROOT

HEADS = ("| Term |", "| --- |")


def rows() -> list[list[str]]:
    """The cells of each row: the terms, their meaning, and where they are defined."""
    lines = (ROOT / "docs/glossary.md").read_text().splitlines()
    return [line.split("|")[1:4] for line in lines if line.startswith("| ") and not line.startswith(HEADS)]


def test_each_place_of_the_glossary_exists() -> None:
    places = [place for *_, where in rows() for place in re.findall(r"`([\w/]+(?:\.py)?)`", where)]
    assert len(places) > 40
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_it_has_at_most_fifty_terms() -> None:
    terms = [term.strip() for names, *_ in rows() for term in names.split(",")]
    assert 40 < len(terms) <= 50
    assert len(set(terms)) == len(terms)
