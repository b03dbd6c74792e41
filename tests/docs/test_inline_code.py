"""Commands within the text of pages work as they are written, and the paths there lead to files.

Nothing is started that takes long: pytest collects, make says what it would do, and commands parse their options.
"""

import os
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.docs.pages import DOCS, README, without_code
from tests.packages import PACKAGES, ROOT

pytestmark = pytest.mark.once

PAGES = [README, *sorted(DOCS.rglob("*.md"))]
PLACES = (*PACKAGES, "deploy", "docs", "tests", ".ci")
A_PATH = re.compile(rf"(?:{'|'.join(map(re.escape, PLACES))})(?:/[\w.-]+)+/?")
OF_DJANGO = ("manage.py ", "shop ", ".venv/bin/python manage.py ")
ANY = "COMMAND"
"""Stands for any command."""


def spans(pages: Iterable[Path] = PAGES) -> set[str]:
    """The inline code of the pages; a line break within it counts as a space."""
    texts = (without_code(page.read_text()) for page in pages)
    return {re.sub(r"\s+", " ", span) for text in texts for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)}


def fault(span: str) -> str | None:
    """Why what the inline code names does not work or exist; None if it does, or names neither command nor path."""
    if A_PATH.fullmatch(span):
        return None if (ROOT / span).exists() or (ROOT / f"{span}.py").exists() else "there is no such file"
    if span.startswith("make "):
        return _refused(["make", "--dry-run", *shlex.split(span)[1:]])
    if span.startswith(".venv/bin/python -m pytest "):
        return _refused([sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", *shlex.split(span)[3:]])
    if span.startswith(("python -m ", ".venv/bin/python -m ")):
        module = shlex.split(span)[2]
        return None if find_spec(module) else f"there is no module {module}"
    if start := next((each for each in OF_DJANGO if span.startswith(each)), None):
        return _misused(shlex.split(span.removeprefix(start)))
    return None


def _refused(command: list[str]) -> str | None:
    whole = {name: value for name, value in os.environ.items() if name != "TEST_SAMPLE"}  # a sample may lack the file
    done = subprocess.run(command, cwd=ROOT, env=whole, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else (done.stderr or done.stdout)[-500:]


def _misused(words: list[str]) -> str | None:
    name, *rest = words
    if name == ANY:
        return None
    if (app := get_commands().get(name)) is None:
        return f"there is no command {name}"
    parser: ArgumentParser = load_command_class(app, name).create_parser("manage.py", name)  # type: ignore[arg-type]
    known = {option for action in parser._actions for option in action.option_strings}
    unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
    return f"{name} has no option {unknown[0]}" if unknown else None


def test_commands_and_paths_of_the_text_are_there() -> None:
    faults = {span: found for span in sorted(spans()) if (found := fault(span))}
    assert not faults


@pytest.mark.parametrize(
    "span",
    [
        ".venv/bin/python -m pytest -n 0 tests/catalog/test_of_nothing.py",
        "make coffee",
        "python -m tests.bench.nothing",
        "manage.py nothing",
        "manage.py dump_shop --nothing",
        "kit/nothing",
        "tests/catalog/test_of_nothing.py",
    ],
)
def test_what_is_not_there_is_found(span: str) -> None:
    assert fault(span)


@pytest.mark.parametrize(
    "span", ["make test", "manage.py migrate", "shop COMMAND", "title", "kit/errors.py", "kit/search"]
)
def test_what_is_there_is_no_fault(span: str) -> None:
    assert fault(span) is None
