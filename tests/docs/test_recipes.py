"""The recipes of docs/contributing.md work as printed: in a copy of the code, their tests pass."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.docs import recipes
from tests.packages import ROOT

pytestmark = [pytest.mark.every(4), pytest.mark.once]

COMPLETE = [
    "tests/contract/test_every_list.py::test_every_list_and_no_other_resource_has_a_contract",
    "tests/contract/test_every_list.py::test_each_field_is_the_contracts",
    "tests/contract/test_every_list.py::test_each_filter_has_a_case",
    "tests/contract/test_every_list.py::test_each_filter_finds_what_it_names[/store/products]",
    "tests/contract/test_every_list.py::test_each_filter_finds_what_it_names[/store/brands]",
    "tests/contract/test_every_list.py::test_each_filter_finds_what_it_names[/admin/brands]",
    "tests/contract/test_every_route.py::test_each_route_has_an_example_and_each_example_a_route",
    "tests/contract/test_every_admin_route.py::test_each_names_a_permission_that_exists",
    "tests/contract/test_every_admin_route.py::test_graphql_names_the_same_permissions",
    "tests/contract/test_parity.py::test_every_resource_of_either_transport_stands_in_the_table",
    "tests/architecture/test_query_budgets.py::test_every_reading_route_has_a_budget",
    "tests/architecture/test_erased_columns.py",
    "tests/architecture/test_wrong_settings.py::test_every_variable_has_such_a_value",
    "tests/docs/test_operators_tables.py",
    "tests/payments/movements/test_resuming.py::TestServe::test_all_are_on_by_default",
    "tests/kit/graphql/test_every_permission.py::test_every_field_without_a_permission_is_known",
]
"""Tests that fail where a recipe forgets something."""
OF_THIS_RUN = ("PYTEST_", "DATABASE_", "TEST_", "REQUIRE_POSTGRES")
"""Variables that would lead the copy's run to this run's sample, and database, which lacks the recipes' migrations."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The code, without what tools and the shop have written beside it."""
    copied = tmp_path / "copy"
    shutil.copytree(ROOT, copied, ignore=_written)
    return copied


def _written(directory: str, names: Sequence[str]) -> set[str]:
    at_root = {"var", "static", "build", "bench-results"} if Path(directory) == ROOT else set()
    return {name for name in names if name.startswith(".") or name == "__pycache__" or name in at_root}


def test_what_the_recipes_write_is_clean_and_passes_its_tests(copy: Path) -> None:
    tests = recipes.apply(copy)
    assert len(tests) == 7
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_RUN)}
    environment |= {**recipes.settings(), "COMMERCE_ENV": "development", "TEST_DATABASE": "sqlite"}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-m", "ruff", "check", "--no-cache")
    run("-m", "ruff", "format", "--check", "--no-cache")
    written = run("manage.py", "makemigrations")
    assert "Create model Brand" in written
    assert "Add field season to product" in written
    assert "Create model Unreminded" in written
    printed = run("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests, *COMPLETE)
    (passed,) = re.findall(r"(\d+) passed", printed)
    assert int(passed) > 100  # the recipes' own tests, and each case of the complete ones
