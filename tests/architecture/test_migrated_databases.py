"""Tests run on copies of a migrated database that is kept from run to run: it must never be outdated."""

from pathlib import Path

import pytest
from django.core.management import call_command

from tests.packages import ROOT
from tests.plugins.migrated import digest


@pytest.mark.django_db
def test_the_copy_has_every_migration() -> None:
    call_command("migrate", "--check")  # exits with 1 where one is missing


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A migration of an app and of a package in another, the package that one imports, and a module beside."""
    for path, text in {
        "catalog/migrations/0001_initial.py": "import catalog.fields\nfrom catalog import search\n",
        "kit/jobs/migrations/0001_initial.py": "",
        "catalog/fields.py": "",
        "catalog/search/triggers.py": "",
        "catalog/views.py": "",
    }.items():
        tmp_path.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        tmp_path.joinpath(path).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    ["catalog/migrations/0001_initial.py", "kit/jobs/migrations/0001_initial.py", "catalog/fields.py",
     "catalog/search/triggers.py", "catalog/migrations/0002_more.py"],
)  # fmt: skip
def test_a_change_of_migrations_or_of_what_they_import_makes_another(tree: Path, path: str) -> None:
    before = digest(tree)
    tree.joinpath(path).write_text("changed = True\n")
    assert digest(tree) != before


def test_another_server_makes_another_and_other_code_does_not(tree: Path) -> None:
    before = digest(tree)
    tree.joinpath("catalog/views.py").write_text("changed = True\n")
    assert digest(tree) == before
    assert digest(tree, "postgres 18") != before


def test_comments_and_docstrings_make_none(tree: Path) -> None:
    before = digest(tree)
    tree.joinpath("catalog/fields.py").write_text('"""The fields."""\n\n# why\n')
    assert digest(tree) == before
    tree.joinpath("catalog/fields.py").write_text('SQL = """CREATE TRIGGER"""\n')
    assert digest(tree) != before


def test_what_the_digest_is_made_of_is_there() -> None:
    assert digest(ROOT) != digest(ROOT / "tests")
