"""A sample is a part of the tests, each test is in one, and a commit always has the same."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import walks
from tests.packages import ROOT
from tests.plugins import marked_files, samples

pytestmark = pytest.mark.once

SQLITE, POSTGRESQL = "sqlite:///shop.sqlite3", "postgresql://localhost/shop"
TESTS = ROOT / "tests"
ALIKE = sorted((TESTS / "orders" / "refunds").glob("test_*.py"))
DIFFERENT = [TESTS / "operations/backups/test_backup.py", TESTS / "orders/conftest.py", TESTS / "catalog"]
BROWSER = "import pytest\n\npytestmark = [pytest.mark.browser, pytest.mark.django_db]\n"
SOME_ONCE = "import pytest\n\n@pytest.mark.once\ndef test_a(): ...\n"
MARK = re.compile(r"mark\.(browser|every|once|postgresql|servers)\b")
OF_POSTGRESQL = (pytest.mark.once, pytest.mark.postgresql, pytest.mark.browser, pytest.mark.servers)
LINES = "pytestmark = [\n    pytest.mark.once,\n    pytest.mark.django_db,\n]\n\n@pytest.mark.servers('nginx')\n"


@pytest.fixture(autouse=True)
def database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", SQLITE)
    monkeypatch.delenv("TEST_SAMPLE", raising=False)
    monkeypatch.delenv("TEST_LEFT_OUT", raising=False)
    monkeypatch.delenv("TEST_APP", raising=False)
    monkeypatch.setattr(samples, "FILES", 1)


class Item(SimpleNamespace):
    __hash__ = object.__hash__  # type: ignore[assignment]


def item(path: Path, *marks: pytest.MarkDecorator) -> Any:
    return Item(path=path, iter_markers=lambda: [each.mark for each in marks])


def test_without_one_all_run() -> None:
    files = [*ALIKE, *DIFFERENT]
    assert [path for path in files if samples.pytest_ignore_collect(path)] == []
    assert list(samples.cases_left_out([item(path, pytest.mark.every(3)) for path in files])) == []


@pytest.mark.parametrize("url", [SQLITE, POSTGRESQL])
def test_each_file_is_in_one_of_three_samples(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("DATABASE_URL", url)
    files = [path for path in sorted(TESTS.rglob("test_*.py")) if not {"architecture", "docs"} & {*path.parts}]
    counts, chosen = [], list[Path]()
    for number in (0, 12, 24):
        monkeypatch.setenv("TEST_SAMPLE", str(number))
        some = [path for path in files if not samples.is_left_out(path)]
        counts.append(len(some))
        chosen += some
    assert sorted(chosen) == files
    assert max(counts) - min(counts) <= 1


def test_one_app_has_all_of_its_files_and_a_third_of_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("DATABASE_URL", SQLITE)
    monkeypatch.setenv("TEST_APP", "orders")
    monkeypatch.setenv("TEST_SAMPLE", "7")
    assert [path for path in ALIKE if samples.pytest_ignore_collect(path)] == []
    assert list(samples.cases_left_out(map(item, ALIKE))) == []
    assert len(list(samples.cases_left_out(item(ALIKE[0], pytest.mark.every(3)) for _ in range(18)))) == 16


def test_files_about_the_whole_tree_are_in_every_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    files = [*(TESTS / "docs").glob("test_*.py"), Path(__file__)]
    for number in ("0", "12", "24"):
        monkeypatch.setenv("TEST_SAMPLE", number)
        assert [path for path in files if samples.is_left_out(path)] == []


def test_races_are_always_on_postgresql_and_half_of_the_files_on_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted((TESTS / "concurrency").glob("test_*.py"))
    on_sqlite = []
    for number in ("100", "101"):
        monkeypatch.setenv("TEST_SAMPLE", number)
        monkeypatch.setenv("DATABASE_URL", SQLITE)
        on_sqlite += [path for path in files if not samples.pytest_ignore_collect(path)]
        monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
        assert list(samples.cases_left_out(map(item, files))) == []
    assert sorted(on_sqlite) == files


def test_half_of_the_files_of_screens_are_in_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    items = [item(path, pytest.mark.once) for path in sorted((TESTS / "catalog" / "admin").glob("test_*.py"))]
    left_out = []
    for number in ("100", "101"):
        monkeypatch.setenv("TEST_SAMPLE", number)
        left_out += samples.cases_left_out(items)
    assert sorted(each.path for each in left_out) == [each.path for each in items]


@pytest.mark.parametrize("number", ["100", "101"])
def test_each_file_is_on_one_of_the_two_databases(monkeypatch: pytest.MonkeyPatch, number: str) -> None:
    monkeypatch.setenv("TEST_SAMPLE", number)
    on_sqlite = [path for path in ALIKE if not samples.pytest_ignore_collect(path)]
    assert [path for path in DIFFERENT if samples.pytest_ignore_collect(path)] == []
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    left_out = list(samples.cases_left_out([item(path) for path in [*ALIKE, *DIFFERENT]]))
    assert [each.path for each in left_out] == on_sqlite
    assert abs(len(ALIKE) - 2 * len(on_sqlite)) <= 1


def test_what_is_on_postgresql_alone_stays_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    for number in ("100", "101"):
        monkeypatch.setenv("TEST_SAMPLE", number)
        items = [item(path, mark) for path in ALIKE for mark in OF_POSTGRESQL]
        assert list(samples.cases_left_out(items)) == []


def test_each_case_is_in_one_of_n(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [item(TESTS, *([pytest.mark.every(of)] if of else [])) for of in [*[4] * 10, None, *[2] * 3]]
    kept = []
    for number in range(8, 12):
        monkeypatch.setenv("TEST_SAMPLE", str(number))
        left_out = list(samples.cases_left_out(items))
        kept += [place for place, each in enumerate(items) if each not in left_out]
    assert sorted(kept) == [*range(10), *[10] * 4, *[11] * 2, *[12] * 2, *[13] * 2]


def test_two_runs_share_all_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "FILES", 3)
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    monkeypatch.setenv("TEST_SAMPLE", "100")
    everything = [item(path, *marks) for path in ALIKE for marks in ([], [pytest.mark.every(3)])]
    config: Any = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: None))
    sample, others = [*everything], [*everything]
    samples.pytest_collection_modifyitems(config, sample)
    monkeypatch.setenv("TEST_LEFT_OUT", "1")
    samples.pytest_collection_modifyitems(config, others)
    assert sample
    assert sorted(map(id, sample + others)) == sorted(map(id, everything))


@pytest.mark.parametrize("url", [SQLITE, POSTGRESQL])
@pytest.mark.parametrize("size", [1, 3, 9])
def test_each_point_is_in_one_of_the_samples_of_walks(monkeypatch: pytest.MonkeyPatch, url: str, size: int) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setattr(walks, "LONG", False)
    every = 4 if url == SQLITE else 2
    for start in (0, 1):
        found = []
        for number in range(every):
            monkeypatch.setenv("TEST_SAMPLE", str(number))
            found.append(walks.sampled(range(size), start=start))
        assert {case for part in found for case in part} == set(range(size))
        assert all(found)
    monkeypatch.setattr(walks, "LONG", True)
    assert walks.sampled(range(size)) == list(range(size))


def test_two_tests_with_the_same_points_run_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", POSTGRESQL)
    monkeypatch.setattr(walks, "LONG", False)
    for number in ("4", "5"):
        monkeypatch.setenv("TEST_SAMPLE", number)
        assert sorted(walks.sampled(range(9)) + walks.sampled(range(9), start=1)) == list(range(9))


def test_the_tree_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    if (ROOT / ".git").exists() and (git := shutil.which("git")):
        tree = subprocess.run([git, "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, text=True, check=True)
        assert samples.tree_hash() == tree.stdout.strip()
    monkeypatch.setenv("TEST_SAMPLE", "tree")
    for _ in samples.pytest_load_initial_conftests():
        assert os.environ["TEST_SAMPLE"] == str(int(samples.tree_hash()[:6], 16))


def test_without_git_the_files_choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    here = samples.tree_hash()
    assert samples.tree_hash() == here
    monkeypatch.setattr(samples, "TESTS", tmp_path)
    (tmp_path / "test_a.py").write_text("")
    assert samples.tree_hash() != here


def test_hypothesis_draws_from_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(hypothesis_seed=None))
    samples.pytest_configure(config)
    assert config.option.hypothesis_seed is None
    monkeypatch.setenv("TEST_SAMPLE", "7")
    samples.pytest_configure(config)
    assert config.option.hypothesis_seed == "7"
    assert samples.pytest_report_header() == "sample: TEST_SAMPLE=7"


@pytest.mark.parametrize(
    ("expression", "text", "is_collected"),
    [
        ("not browser and not servers", BROWSER, False),
        ("browser and not servers", BROWSER, True),
        ("not once", SOME_ONCE, True),
        ("servers", SOME_ONCE, False),
        ("once", SOME_ONCE, True),
        ("not once and not servers", LINES, False),
        ("once and not servers", LINES, True),
        ("servers", LINES, True),
        ("not once", "def test_a(): ...\n", True),
    ],
)
def test_files_of_which_marks_leave_out_every_test_are_not_collected(
    expression: str, text: str, is_collected: bool
) -> None:
    assert marked_files.may_have(expression, text) == is_collected


def test_files_of_tests_say_themselves_which_marks_they_have() -> None:
    """What they import says nothing of it."""
    others = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
    found = [path for path in others if "plugins" not in path.parts and MARK.search(path.read_text())]
    assert found == []
