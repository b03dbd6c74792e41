"""Citations lead to what the repository has, and the code cites every decision that has a heading of its own."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from posixpath import normpath

import pytest

from tests import shared_data
from tests.docs.pages import anchors
from tests.packages import PACKAGES, ROOT

pytestmark = pytest.mark.once

PLACES = (*PACKAGES, ".ci", "deploy", "docs", "tests")
SUFFIXES = {"", ".css", ".graphql", ".html", ".js", ".md", ".mjs", ".py", ".toml", ".yaml", ".yml"}
DECISIONS = "docs/decisions/"
EXEMPT = ("tests/shared_data.py", "tests/architecture/test_citations.py")
"""The one module that names data beside the checkout, and this one, which plants faults."""

URL = r"https?://[^\s,;)\"']+"
NUMBER = r"\d(?:[\d.-]*\d)?"
STANDARD = rf"(?:RFC|ISO) {NUMBER}(?:(?:,|,? and)(?: section)? {NUMBER})*"
FILE = r"[\w./-]+\.\w+(?:#[\w-]+)?"
TARGET = rf"(?:{URL}|{STANDARD}|{FILE})"
CITATION = re.compile(
    rf"\b(?<!class )(?<!-> )(?:Why|Source):\s+(?P<targets>{TARGET}(?:(?:,|;|,? and)\s+{TARGET})*|)(?P<rest>.{{0,40}})"
)
PAGE = re.compile(r"(?P<joined>/ \")?(?<![\w./*-])(?P<path>[\w./-]*\w\.md)\b(?:#(?P<anchor>[\w-]+))?")
PARAGRAPH = re.compile(r"[\w-]+\.md,? (?:section |case |D)?\d[\d.]*")
MODULE = re.compile(rf"(?<![\w./-])(?:{'|'.join(PACKAGES)}|tests)/[\w/]+\.py\b")
BESIDE = re.compile(r"\.\./shared|\bshared/|[\"']shared[\"']|(?<!tests/)\brecorded/")


def repository() -> dict[str, str]:
    """The text of every file, by its path."""
    files = [*ROOT.glob("*"), *(file for place in PLACES for file in (ROOT / place).rglob("*"))]
    ours = [file for file in files if file.suffix in SUFFIXES and not {"node_modules", "built"} & {*file.parts}]
    return {file.relative_to(ROOT).as_posix(): file.read_text(errors="replace") for file in ours if file.is_file()}


def faults(texts: Mapping[str, str]) -> list[str]:
    headings = {path: anchors(text) for path, text in texts.items() if path.endswith(".md")}
    cited: set[str] = set()
    found: list[str] = []
    for path, text in texts.items():
        if path in EXEMPT:
            continue
        line_by_line = re.sub(r"\n[ \t]*(?:#|//|\*)?", lambda end: " " * len(end[0]), text)
        for place, fault in (
            *_citations(line_by_line, texts),
            *_pages(path, text, headings),
            *((match.start(), f"{match[0]!r} names a section by number") for match in PARAGRAPH.finditer(line_by_line)),
            *_modules(path, text, texts),
            *((match.start(), f"{match[0]!r} is not in the repository") for match in BESIDE.finditer(text)),
        ):
            found.append(f"{path}:{text.count(chr(10), 0, place) + 1}: {fault}")
        if PurePath(path).parts[0] in PACKAGES:
            cited |= {f"{match['path']}#{match['anchor']}" for match in PAGE.finditer(text)}
    decisions = _decisions(texts)
    found += [f"{each}: no code cites it" for each in decisions if each not in cited]
    return found + [f"{each}: stands twice" for each in sorted(set(decisions)) if decisions.count(each) > 1]


def _citations(text: str, texts: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The faults of what stands behind `Why:` and `Source:`, with their places; of Markdown's pages, see _pages."""
    for match in CITATION.finditer(text):
        if not match["targets"] or re.match(r"(,|;|,? and)\s", match["rest"]):
            yield match.start(), f"{' '.join(match[0].split())!r} names no file, URL or standard"
        for target in re.findall(TARGET, match["targets"]):
            path, _, anchor = target.partition("#")
            if not re.match("https?:|RFC|ISO", target) and not path.endswith(".md") and (anchor or path not in texts):
                yield match.start(), f"{target!r} is no file of the repository"


def _pages(path: str, text: str, headings: Mapping[str, set[str]]) -> Iterator[tuple[int, str]]:
    """The faults of Markdown's pages that the file names, by their path from the root or from the file's folder."""
    shown = re.sub(r"https?://\S+|\[`[^]]*`\](?=\()", lambda unread: " " * len(unread[0]), text)
    for match in PAGE.finditer(shown):
        known = [normpath(match["path"]), normpath(f"{PurePath(path).parent}/{match['path']}")]
        if match["joined"]:
            known = [page for page in headings if f"/{page}".endswith(f"/{match['path']}")]
        pages = [page for page in known if page in headings]
        if not pages:
            yield match.start(), f"{match['path']!r} is no page of the repository"
        elif match["anchor"] and match["anchor"] not in headings[pages[0]]:
            yield match.start(), f"{pages[0]} has no heading #{match['anchor']}"


def _modules(path: str, text: str, texts: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Modules that the code of a package names by a path that is not there."""
    if PurePath(path).parts[0] in PACKAGES and path.endswith(".py"):
        for match in MODULE.finditer(text):
            if match[0] not in texts:
                yield match.start(), f"{match[0]!r} is no file of the repository"


def _decisions(texts: Mapping[str, str]) -> list[str]:
    pages = {path: text for path, text in texts.items() if path.startswith(DECISIONS)}
    headings = {path: re.findall(r"^### .+", text, re.MULTILINE) for path, text in pages.items()}
    return [f"{path}#{anchor}" for path, found in headings.items() for heading in found for anchor in anchors(heading)]


CODE = f"{PACKAGES[0]}/completion.py"
CITED = "docs/decisions/orders.md#stock-is-claimed-first"
SOUND = {
    "docs/decisions/orders.md": "# Orders\n### Stock is claimed first\n[`notes.md`](../notes.md), [http](http.md)\n",
    "docs/decisions/http.md": "# HTTP\n",
    "docs/notes.md": "# Notes\n",
    "tests/books.py": 'PAGE = DOCS / "notes.md"  # Why: tests/books.py and ISO 4217.\n',
    CODE: f"""
        Why: {CITED},
        docs/decisions/http.md#http and https://example.org/a.md, RFC 9110, section 15.5 and 8.8.3.
        # Source: docs/notes.md;
        #   RFC 9457. The next sentence, and 2 more.
        class Source: ...
    """,
}


def test_sound_citations_have_no_faults() -> None:
    assert faults(SOUND) == []


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("Why: behaviour.md 0.23.", "'behaviour.md' is no page of the repository"),
        ("See orders.md.", "'orders.md' is no page of the repository"),
        ("As docs/decisions/orders.md, section 8 has it.", "'orders.md, section 8' names a section by number"),
        ("Why: docs/decisions/orders.md#stock", "docs/decisions/orders.md has no heading #stock"),
        (f"Why: {CITED},\n  docs/decisions/http.md#no-such", "docs/decisions/http.md has no heading #no-such"),
        (f"Why: {CITED} and\n  # docs/no_such.md", "'docs/no_such.md' is no page of the repository"),
        ("Why: tests/no_such.py.", "'tests/no_such.py' is no file of the repository"),
        ("Why: tests/books.py#page.", "'tests/books.py#page' is no file of the repository"),
        (f"Why: {CITED}, as it was.", f"'Why: {CITED}, as it was.' names no file, URL or standard"),
        ("Source: the peer.", "'Source: the peer.' names no file, URL or standard"),
        (f"Why: {CITED} and 8.4.", "'8.4' is no file of the repository"),
        ('Path("../shared/data")', "'../shared' is not in the repository"),
        ('ROOT.parent / "shared"', "'\"shared\"' is not in the repository"),
        ("as recorded/pc_happy.json has it", "'recorded/' is not in the repository"),
    ],
)
def test_a_planted_fault_is_reported_with_its_line(planted: str, fault: str) -> None:
    (found,) = {found for found in faults({**SOUND, "tests/planted.py": f"\n{planted}\n"}) if fault in found}
    assert found == f"tests/planted.py:{2 + planted.count(chr(10))}: {fault}"


def test_a_module_that_is_not_there_is_reported() -> None:
    module = f"{PACKAGES[0]}/planted.py"
    assert faults({**SOUND, module: f"See {PACKAGES[1]}/no_such.py and {CODE}."}) == [
        f"{module}:1: '{PACKAGES[1]}/no_such.py' is no file of the repository"
    ]


def test_a_decision_that_only_tests_cite_is_reported() -> None:
    texts = {**SOUND, CODE: "", "tests/planted.py": SOUND[CODE]}
    assert faults(texts) == [f"{CITED}: no code cites it"]


def test_a_heading_that_stands_twice_is_reported() -> None:
    page = CITED.partition("#")[0]
    assert faults({**SOUND, page: SOUND[page] * 2}) == [f"{CITED}: stands twice"]


def test_every_citation_leads_somewhere_and_every_decision_is_cited() -> None:
    found = faults(repository())
    assert not found, "\n".join([f"{len(found)} faults", *found])


def test_the_list_of_those_that_read_data_beside_the_checkout_is_complete() -> None:
    readers = {path for path, text in repository().items() if "\nfrom tests.shared_data import " in text}
    assert readers == set(re.findall(r"tests/[\w/]+\.py", shared_data.__doc__))
