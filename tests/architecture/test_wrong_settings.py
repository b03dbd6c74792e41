"""Every variable of the environment refuses what it cannot be, by one line that names it."""

import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import structlog
from django.core.exceptions import ImproperlyConfigured

from tests.architecture.test_settings import STRONG
from tests.architecture.wrong_settings import OTHER_DATABASES, PROVIDERS, WRONG
from tests.packages import ROOT

pytestmark = pytest.mark.once
CHECKED = {"ALLOWED_HOSTS", "PRODUCT_SEARCH_ENGINE"}
"""Refused by a system check alone: test_start_checks.py."""


@pytest.fixture(autouse=True)
def logs_as_they_are() -> Iterator[None]:
    """The settings configure structlog, which is one for the process."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def read(home: Path, **environment: str) -> dict[str, Any]:
    """The settings in that environment alone."""
    with patch.dict(os.environ, {**STRONG, "COMMERCE_HOME": str(home), **environment}, clear=True):
        return runpy.run_path(str(ROOT / "commerce" / "settings.py"))


def refusal(home: Path, **environment: str) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(home, **environment)
    return str(refused.value)


def test_each_value_is_refused_by_one_line_that_names_its_variable(tmp_path: Path) -> None:
    said = {(name, value): refusal(tmp_path, **{**beside, name: value}) for name, value, _, beside in WRONG}
    assert said == {(wrong.name, wrong.value): wrong.message for wrong in WRONG}
    assert all("\n" not in message and name in message for (name, _), message in said.items())


def test_every_variable_has_such_a_value(tmp_path: Path) -> None:
    variables = set().union(*(read(tmp_path, **given)["VARIABLES"] for given in ({}, *OTHER_DATABASES)))
    assert variables == {wrong.name for wrong in WRONG} | CHECKED


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL", "LOW_STOCK", "CORS_ORIGINS", *PROVIDERS])
def test_a_file_that_cannot_be_read_is_named_by_its_variable(tmp_path: Path, name: str) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    reasons = {"gone": "No such file or directory", "": "Is a directory", "binary": "it is not UTF-8"}
    for file, reason in reasons.items():
        said = refusal(tmp_path, **{f"{name}_FILE": str(tmp_path / file)})
        assert said == f"{name}_FILE names a file that cannot be read: {reason}."


def test_the_line_break_at_the_end_of_a_file_is_not_part_of_the_value(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql://shop@db/shop\n")
    assert read(tmp_path, DATABASE_URL_FILE=str(tmp_path / "url"))["DATABASES"]["default"]["NAME"] == "shop"


def test_a_reference_to_a_variable_that_is_not_set_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, MAIL_FROM="$SENDER", SENDER="tea@shop.example")["DEFAULT_FROM_EMAIL"] == "tea@shop.example"
    assert refusal(tmp_path, TRACKED_CARRIER_SECRET="$ecret") == (
        "TRACKED_CARRIER_SECRET begins with $ and so refers to another variable, which is not set."
    )


def test_an_env_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert refusal(tmp_path) == f"{tmp_path}/.env cannot be read: Is a directory."


def test_spaces_around_the_entries_of_a_list_do_not_matter(tmp_path: Path) -> None:
    assert read(tmp_path, ALLOWED_HOSTS="a.example, b.example ,")["ALLOWED_HOSTS"] == ["a.example", "b.example"]


@pytest.mark.parametrize("given", ["sqlite:///data/shop.sqlite3", "sqlite://:memory:", "sqlite:////srv/shop.sqlite3"])
def test_a_relative_path_of_a_database_begins_at_the_home(tmp_path: Path, given: str) -> None:
    paths = {"data/shop.sqlite3": f"{tmp_path}/data/shop.sqlite3"}
    path = given.removeprefix("sqlite:///").removeprefix("sqlite://")
    assert read(tmp_path, DATABASE_URL=given)["DATABASES"]["default"]["NAME"] == paths.get(path, path)
