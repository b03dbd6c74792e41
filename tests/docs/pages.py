"""The documents' pages, and the examples on them."""

import re
import subprocess
from pathlib import Path

from tests.packages import ROOT

README = ROOT / "README.md"
DOCS = ROOT / "docs"
STOREFRONT = DOCS / "storefront.md"
FIRST_ORDER = DOCS / "first-order.sh"
GRAPHQL = DOCS / "graphql.md"
STAFF = DOCS / "staff.md"
OPERATORS = DOCS / "operators"
CONTRIBUTING = DOCS / "contributing.md"
INTERFACE_WALK = DOCS / "interface-walk.md"


def examples(page: Path, language: str) -> list[str]:
    """The fenced blocks of that language, in their order on the page."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def run(command: list[str], text: str, environment: dict[str, str], *, folder: Path | None = None) -> str:
    """What the command prints when it is given the text."""
    done = subprocess.run(
        command, input=text, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def section(page: Path, heading: str) -> str:
    """The text from that heading, as written with its #, to the next one of its level or above."""
    _, found, rest = page.read_text().partition(f"\n{heading}\n")
    assert found, f"{page.name} has no {heading}"
    level = heading.index(" ")
    return re.split(rf"\n#{{1,{level}}} ", rest, maxsplit=1)[0]


def without_code(text: str) -> str:
    """The text of a page without its fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """The anchors of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)", without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
