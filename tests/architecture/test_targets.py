"""No test is left out everywhere: what `make test` does not run, another target does."""

import os
import re
import shlex
import subprocess
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest
from _pytest.mark.expression import Expression

from tests.packages import PROJECT, ROOT

pytestmark = pytest.mark.once

IN_CI = re.findall(r"^for target in (.*); do$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)[0].split()
MARKS = ("postgresql", "browser", "every", "servers", "once")
COMBINATIONS = [{name for name, is_on in zip(MARKS, on, strict=True) if is_on} for on in product((0, 1), repeat=5)]


class Run(NamedTuple):
    """One of the whole suite: the expression of marks, the database, and whether it is a sample."""

    expression: str
    database: str
    is_sample: bool

    def has(self, marks: set[str]) -> bool:
        return Expression.compile(self.expression).evaluate(lambda name, /, **_: name in marks)


OUTER = {"MAKEFLAGS", "SAMPLE", "PYTEST_ARGUMENTS"}
"""How `make test SAMPLE=7` passes its variables on; here it would choose what the tests expect."""


def make(*words: str) -> subprocess.CompletedProcess[str]:
    installed = ["-o", ".venv/development-installed", "-o", "tests/sdk/node_modules/installed"]
    command = ["make", "--no-print-directory", *installed, *words]
    environment = {name: value for name, value in os.environ.items() if name not in OUTER}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@cache
def runs(*targets: str) -> list[Run]:
    """What these targets run without naming files."""
    found = []
    for line in make("-n", *targets).stdout.splitlines():
        before, is_run, after = line.partition("-m pytest ")
        words = shlex.split(after)
        if is_run and not any((ROOT / word).exists() for word in words):
            environment = dict(re.findall(r"(\w+)=(\S+)", before))
            database = environment.get("TEST_DATABASE", "postgresql")
            found.append(Run(words[words.index("-m") + 1], database, "TEST_SAMPLE" in environment))
    return found


def test_the_marks_are_these() -> None:
    declared = PROJECT["tool"]["pytest"]["ini_options"]["markers"]
    assert sorted(re.split(r"\W", marker)[0] for marker in declared) == sorted(MARKS)


def test_each_test_runs_whole_on_postgresql_at_night_whatever_its_marks() -> None:
    whole = [run for run in runs("nightly") if not run.is_sample and run.database == "postgresql"]
    assert [marks for marks in COMBINATIONS if not any(run.has(marks) for run in whole)] == []


def test_each_test_runs_on_sqlite_but_those_of_browsers_and_servers() -> None:
    for whole in (True, False):
        some = [run for run in runs("nightly", "test") if run.database == "sqlite" and run.is_sample != whole]
        elsewhere = {"browser", "servers"} if whole else {"browser", "servers", "once"}
        lost = [marks for marks in COMBINATIONS if not any(run.has(marks) for run in some)]
        assert lost == [marks for marks in COMBINATIONS if marks & elsewhere]


def test_each_test_guards_changes_in_some_sample() -> None:
    in_ci = runs(*IN_CI)
    assert [marks for marks in COMBINATIONS if not any(run.has(marks) for run in in_ci)] == []


def test_what_a_sample_leaves_out_is_run_by_one_target() -> None:
    before, _, after = make("-n", "test-left-out", "SAMPLE=7").stdout.splitlines()[-1].partition(" -m pytest ")
    assert before.split()[:3] == ["TEST_SAMPLE=7", "TEST_LEFT_OUT=1", "TEST_DATABASE=postgresql"]
    assert shlex.split(after)[-1] == runs("test")[0].expression


def test_quick_needs_an_app_that_there_is() -> None:
    for words in ([], ["APP="], ["APP=nowhere"], ["APP=contract"]):
        done = make("quick", *words)
        assert done.returncode == 2
        assert done.stdout.startswith("make quick: set APP to one of operations apikeys auth carts ")


@pytest.mark.parametrize("app", ["carts", "operations", "kit/reads", "orders/refunds"])
def test_quick_runs_an_app_or_a_room(app: str) -> None:
    lines = make("-n", "quick", f"APP={app}").stdout.replace("\\\n", "").splitlines()
    assert lines[-2].endswith("/lint-imports --no-logo")
    assert lines[-1].startswith(f"TEST_APP={app} TEST_SAMPLE=tree TEST_DATABASE=sqlite ")
    assert lines[-1].split()[-2:] == [f"tests/{app}", "tests/contract"]
