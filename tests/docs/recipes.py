"""The recipes of docs/contributing.md, applied to a tree of the code."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import CONTRIBUTING

_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def apply(root: Path) -> list[str]:
    """Carry out the recipes; the paths of their tests. Raises AssertionError where a change does not fit its file."""
    tests = []
    for language, text in _blocks():
        if language == "diff":
            name, _, change = text.partition("\n")
            _change(root / name.removeprefix("--- "), change.splitlines())
        elif language in ("python", "django"):
            first, _, content = text.partition("\n")
            name = first.strip("#{} ")
            (root / name).write_text(content)
            if Path(name).name.startswith("test_"):
                tests.append(name)
    return tests


def settings() -> dict[str, str]:
    """The environment variables that recipes set."""
    return dict(text.strip().split("=", 1) for language, text in _blocks() if not language)


def _blocks() -> Iterator[tuple[str, str]]:
    for language, text in _BLOCK.findall(CONTRIBUTING.read_text()):
        yield language, textwrap.dedent(text)


def _change(path: Path, change: list[str]) -> None:
    """Each context line is found below the one before it; added lines stand below it, removed ones go."""
    lines, at = path.read_text().splitlines(), 0
    for mark, text in ((line[:1], line[1:]) for line in change):
        if mark == "+":
            lines.insert(at, text)
            at += 1
            continue
        assert text in lines[at:], f"{path} has no line {text!r} there"
        at = lines.index(text, at) + 1
        if mark == "-":
            at -= 1
            del lines[at]
    path.write_text("\n".join(lines) + "\n")
