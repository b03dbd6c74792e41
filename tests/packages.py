"""The packages of the shop and their files, for tests and tools that look through all of them.

pyproject.toml lists the packages, in `root_packages` of import-linter.
"""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES: list[str] = PROJECT["tool"]["importlinter"]["root_packages"]


def sources() -> list[Path]:
    """The Python files of all packages, but migrations."""
    return [path for path in files(".py") if "migrations" not in path.parts]


def files(*suffixes: str) -> list[Path]:
    """The files of all packages with one of these suffixes, such as `.html`."""
    found = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in suffixes)
    return sorted(path for path in found if path.is_file())
