"""Which part of the suite a run has: all of it, or the sample that TEST_SAMPLE names.

`make test` and `.ci/run` ask for that of the tree: TEST_SAMPLE=tree. It has a third of the files, and all of WHOLE. Of
these, it has every n-th case of tests that are marked `every(n)`, and the files of ALIKE on one of the two databases,
half of them on each; of screens that are tested `once`, half of the files. The hash of the tree chooses them, and the
seed of Hypothesis, so that a commit always runs the same tests. The run begins with the number of its sample:
TEST_SAMPLE=<number> runs it again. With TEST_LEFT_OUT=1, a run has what the sample leaves out on its database.
"""

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from tests.packages import ROOT, sources

WHOLE = {"architecture", "docs"}
"""Folders of tests that read the whole tree and its documents: a sample has all of their files."""
FILES = 3
"""A sample has one file in so many."""
ALIKE = {
    *("admin", "apikeys", "architecture", "auth", "carts", "contract", "customers", "domain", "editing", "fulfillment"),
    *("graphql", "jobs", "messages", "observability", "operations", "orders", "payments", "rest", "safety", "shop"),
    *("staff", "taxes"),
}
"""Folders of tests, at any depth, whose code is the same on both databases."""
DIFFERENT = {"backups", "common", "monitoring", "reports", "search"}
"""Folders in these with code for each."""
RACES = "concurrency"
"""SQLite lets one write at a time: there, a sample has half of these files."""
TESTS = ROOT / "tests"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Iterator[None]:
    """Settle the number before tests are imported; xdist's workers inherit it."""
    if os.environ.get("TEST_SAMPLE") == "tree":
        os.environ["TEST_SAMPLE"] = str(int(tree_hash()[:6], 16))
    yield


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its option
def pytest_configure(config: pytest.Config) -> None:
    if number() is not None:
        config.option.hypothesis_seed = str(number())


def pytest_report_header() -> str:
    return "sample: none, all tests run" if number() is None else f"sample: TEST_SAMPLE={number()}"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if "TEST_LEFT_OUT" in os.environ:
        return None
    return True if is_left_out(collection_path) or (_is_on_sqlite() and runs_elsewhere(collection_path)) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {*cases_left_out(items)}
    if "TEST_LEFT_OUT" in os.environ:
        left_out = {*items} - left_out
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def number() -> int | None:
    """That of the sample; None where all tests run."""
    name = os.environ.get("TEST_SAMPLE")
    return int(name) if name else None


def is_left_out(path: Path) -> bool:
    """Whether the sample has this file on neither database."""
    if is_quick():
        return False
    place = _places().get(path)
    # 12 is a multiple of the n of `every(n)`: a file does not bring the same cases each time.
    return place is not None and not is_turn(place, of=FILES, start=(number() or 0) // 12)


def runs_elsewhere(path: Path) -> bool:
    """Whether the sample has this file on the other database."""
    place = None if is_quick() else _alike().get(path)
    return number() is not None and place is not None and is_turn(place, of=2) != _is_on_sqlite()


def is_quick() -> bool:
    """Whether this is `make quick`: all files of one app."""
    return bool(os.environ.get("TEST_APP"))


def fewer() -> int:
    """How many times fewer cases than a sample has this run has, of tests with very many."""
    return 3 if is_quick() else 1


def _is_on_sqlite() -> bool:
    return os.environ["DATABASE_URL"].startswith("sqlite")


@cache
def _places() -> dict[Path, int]:
    """The place of each file of which a sample has some."""
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if not WHOLE & {*path.relative_to(TESTS).parts}]
    return {path: place for place, path in enumerate(files)}


@cache
def _alike() -> dict[Path, int]:
    """The place of each file of ALIKE among them."""
    folders = {path: {*path.relative_to(TESTS).parts} for path in sorted(TESTS.rglob("test_*.py"))}
    alike = [path for path, names in folders.items() if names & {*ALIKE, RACES} and not names & DIFFERENT]
    return {path: place for place, path in enumerate(alike)}


def cases_left_out(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Tests of files that the sample has not, or on the other database, and cases of `every` that are not in it."""
    counted = Counter[tuple[Path, int]]()
    for item in items:
        if is_left_out(item.path):
            yield item
            continue
        marks = {marker.name: marker for marker in item.iter_markers()}
        if "every" in marks:
            of = marks["every"].args[0] * fewer()
            counted[item.path, of] += 1
            if not is_turn(counted[item.path, of] + _places().get(item.path, 0), of=of):
                yield item
                continue
        if runs_elsewhere(item.path) and not _stays(item.path, marks):
            yield item


def _stays(path: Path, marks: Container[str]) -> bool:
    """Whether a test is on PostgreSQL all the same: races are, and what no run on SQLite has, but screens."""
    folders = path.relative_to(TESTS).parts
    is_of_screens = "admin" in folders or path.name == "test_admin.py"
    is_of_postgresql = any(name in marks for name in ("postgresql", "browser", "servers"))
    return RACES in folders or is_of_postgresql or ("once" in marks and not is_of_screens)


def is_turn(place: int, *, of: int, start: int | None = None) -> bool:
    """Whether the sample has the one that stands in this place, when it has one in so many. start: else its number."""
    first = number()
    return first is None or (place + (first if start is None else start)) % of == 0


def tree_hash() -> str:
    """Of the files of the commit; without git, of those that are there."""
    git = [shutil.which("git") or "false", "rev-parse", "HEAD^{tree}"]
    done = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.strip()
    files = [*sources(), *sorted(TESTS.rglob("*.py"))]
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
