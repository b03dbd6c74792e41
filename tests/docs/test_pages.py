"""What all pages keep to: links lead somewhere, lines are short, the version is said once, and README stays short."""

import re
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import DOCS, README, anchors, without_code
from tests.packages import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
PAGES = [README, CHANGELOG, *sorted(DOCS.rglob("*.md"))]


def prose(page: Path) -> str:
    return without_code(page.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    links = [link for link in re.findall(r"\]\((\S+?)\)", prose(page)) if not link.startswith("http")]
    for path, _, anchor in (link.partition("#") for link in links):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page}: {path}"
        assert not anchor or anchor in anchors(target.read_text()), f"{page}: {path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_of_text_have_at_most_120_characters(page: Path) -> None:
    lines = [line for line in prose(page).splitlines() if not line.lstrip().startswith("|")]
    assert [line for line in lines if len(line) > 120] == []


def test_every_page_can_be_reached_from_readme() -> None:
    found, open_pages = {README}, [README]
    while open_pages:
        page = open_pages.pop()
        links = {(page.parent / path).resolve() for path in re.findall(r"\]\(([^)#\s]+\.md)", prose(page))}
        open_pages += links - found
        found |= links
    assert set(PAGES) <= found


def test_readme_fits_in_150_lines() -> None:
    assert len(README.read_text().splitlines()) <= 150


def test_the_changelog_and_the_reference_have_the_version_of_the_program(settings) -> None:
    assert re.findall(r"^## ([\d.]+)", CHANGELOG.read_text(), re.MULTILINE)[0] == settings.VERSION
    assert yaml.safe_load((ROOT / "commerce" / "openapi.yaml").read_text())["info"]["version"] == settings.VERSION
