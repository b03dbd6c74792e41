"""Hand-written lists of packages are complete, the Docker image gets every package, and folders stay small."""

import re
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.packages import PACKAGES, PROJECT, ROOT, files, sources

pytestmark = pytest.mark.once

TOOLS = PROJECT["tool"]
CONTRACTS = {each["name"]: each for each in TOOLS["importlinter"]["contracts"]}


def test_mypy_reads_every_package() -> None:
    assert set(PACKAGES) <= set(TOOLS["mypy"]["files"])


def test_contracts_that_are_about_the_whole_product_have_every_package() -> None:
    assert set(CONTRACTS["The product needs nothing of its tests"]["source_modules"]) == set(PACKAGES)
    assert set(PACKAGES) <= set(CONTRACTS["No rings"]["ancestors"])
    layers = " | ".join(CONTRACTS["App layers: imports point downward"]["layers"]).split(" | ")
    assert {layer.partition(".")[0] for layer in layers} == set(PACKAGES)


def test_every_package_gets_into_the_image() -> None:
    assert re.findall(r"\nCOPY (?!--from)(?!Makefile)(.*)", (ROOT / "Dockerfile").read_text()) == [". ."]
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    needed = [path.relative_to(ROOT) for path in files(".py", ".html", ".js", ".css", ".json")]
    parts = {f"{part}" for path in needed for part in (*path.parents, path)}
    assert not [(part, pattern) for part in parts for pattern in patterns if _leaves_out(pattern, part)]


def _leaves_out(pattern: str, path: str) -> bool:
    return fnmatch(path, pattern.lstrip("/")) or fnmatch(f"/{path}", pattern)


def test_the_files_of_every_package_are_found() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in sources()} == set(PACKAGES)
    assert len(sources()) > 1000
    assert not [path for path in sources() if not path.is_file() or "migrations" in path.parts]


def test_no_folder_with_modules_of_the_product_is_outside_them() -> None:
    others = {"tests"}
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders - others == set(PACKAGES)


def test_folders_have_at_most_22_entries() -> None:
    """A subject with more than 22 modules and folders is several. Migrations are dated, and nobody looks for one."""
    entries: Counter[Path] = Counter()
    for path in {each for source in sources() for each in (source, *source.parents)}:
        if path.is_relative_to(ROOT) and path != ROOT and path.name != "__init__.py":
            entries[path.relative_to(ROOT).parent] += 1
    assert {str(folder): count for folder, count in entries.items() if count > 22 and folder != Path()} == {}
