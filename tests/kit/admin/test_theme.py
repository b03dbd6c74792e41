"""How much of the theme is replaced: what is copied from it must be copied again with each of its versions."""

from collections.abc import Iterator
from pathlib import Path

import unfold
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.template.loader import get_template

from tests.packages import ROOT

THEIRS = [Path(package.__file__).parent / "templates" for package in (unfold, admin)]
MOST_REPLACED = 6


def replaced() -> Iterator[str]:
    """The templates of the theme and of Django's admin that ours replace without extending them."""
    for folder in ROOT.glob("*/**/templates"):
        for path in folder.rglob("*.html") if ".venv" not in folder.parts else ():
            name = str(path.relative_to(folder))
            if any((theirs / name).exists() for theirs in THEIRS) and "{% extends" not in path.read_text():
                yield name


def test_few_templates_are_replaced() -> None:
    names = [*replaced()]
    assert "unfold/helpers/app_list.html" in names
    assert len(names) <= MOST_REPLACED, names
    for name in names:
        assert Path(str(get_template(name).origin)).is_relative_to(ROOT)  # type: ignore[attr-defined]


def test_pages_load_no_library_for_charts() -> None:
    """The theme loads one on each page; our charts are SVG."""
    library = finders.find("unfold/js/chart/chart.js")
    assert isinstance(library, str)
    assert Path(library).stat().st_size < 1000
