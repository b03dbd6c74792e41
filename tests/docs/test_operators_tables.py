"""The operators' guide names every command and every variable."""

import ast
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.docs.pages import DOCS, OPERATORS, section
from tests.packages import PACKAGES, sources

pytestmark = pytest.mark.once
NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
OTHERS = {"EMAIL_USE_SSL", "EMAIL_USE_TLS", "COMMERCE_ANSWERS_REQUESTS"}
"""Parts of EMAIL_URL as django-environ returns them, and what `serve` passes to its own processes."""

READERS = [path for path in sources() if path.name.endswith(("environment.py", "settings.py"))]


def test_the_table_has_every_command() -> None:
    ours = {name for name, app in get_commands().items() if app.partition(".")[0] in PACKAGES}
    cells = re.findall(r"(?m)^\| (`.+?`) \|", section(OPERATORS / "daily-work.md", "## Commands"))
    assert {name for cell in cells for name in re.findall(r"`([a-z_]+)", cell)} == ours


def variables(path: Path) -> set[str]:
    """Those that the module reads: the first texts of its calls, `env.int("JWT_LIFETIME", …)`."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    texts = [each.value for call in calls for each in call.args[:2] if isinstance(each, ast.Constant)]
    return {text for text in texts if isinstance(text, str) and NAME.fullmatch(text)}


def test_the_tables_have_every_variable() -> None:
    read = set().union(*map(variables, READERS))
    assert len(read) > 80
    pages = (OPERATORS / "settings.md").read_text() + (DOCS / "stripe.md").read_text()
    assert read - set(re.findall(r"`([A-Z0-9_]+)`", pages)) == OTHERS
