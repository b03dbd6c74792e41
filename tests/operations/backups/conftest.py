"""A shop with something of everything, and an empty place to restore it to."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest
from django.db import connection
from django.test import Client

from commerce.operations.backups.creation import create
from orders.invoices.printing import files
from orders.models import Invoice
from pictures.models import Picture
from pictures.names import file_name
from pictures.states import PictureStatus
from tests.auth.conftest import token_of
from tests.factories import webhooks
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.staff import UserFactory
from tests.orders.invoices.shop import invoiced
from tests.packages import ROOT
from tests.plugins.clusters import find_programs

PATIENCE = 300
DIGEST, PICTURE = "ab" * 32, b"a picture"
KEY = {"title": "Web", "type": "publishable"}
_made: dict[str, bytes] = {}


@dataclass(frozen=True)
class Place:
    """A database with its folders, in which other processes work."""

    environment: dict[str, str]
    folder: Path

    def manage(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def run(self, statement: str) -> None:
        """Directly, as another program does."""
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(self.environment["DATABASE_URL"].removeprefix("sqlite:///"))) as file, file:
                file.execute(statement)  # committed by the block
            return
        name = self.environment["DATABASE_URL"].rpartition("/")[2]
        address = {**connection.get_connection_params(), "dbname": name}
        with psycopg.connect(**address, autocommit=True) as server:
            server.execute(statement)

    @property
    def picture(self) -> Path:
        return self.folder / "media" / file_name(DIGEST)


@pytest.fixture
def path_of_programs(monkeypatch: pytest.MonkeyPatch) -> str:
    """A PATH with pg_dump of the tests' server."""
    programs = find_programs()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}" if programs else os.environ["PATH"]
    monkeypatch.setenv("PATH", path)
    return path


@pytest.fixture
def here(process_environment: dict[str, str], path_of_programs: str, settings: Any, tmp_path: Path) -> Place:
    """The test's own database, with folders of its own."""
    folder = tmp_path / "here"
    for name, path in _folders(folder).items():
        setattr(settings, name, path)
    return Place(_at(folder, {**process_environment, "PATH": path_of_programs}), folder)


@pytest.fixture
def elsewhere(here: Place, tmp_path: Path) -> Iterator[Place]:
    """A new, empty database with empty folders."""
    folder = tmp_path / "elsewhere"
    environment = _at(folder, here.environment)
    if connection.vendor == "sqlite":
        yield Place({**environment, "DATABASE_URL": f"sqlite:///{folder}/shop.sqlite3"}, folder)
        return
    name = f"{connection.settings_dict['NAME']}_restored"
    address, _, _ = here.environment["DATABASE_URL"].rpartition("/")
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {name}")
        yield Place({**environment, "DATABASE_URL": f"{address}/{name}"}, folder)
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def staff_token(here: Place) -> str:
    """A picture, a PDF, a ledger, a webhook endpoint; and the token of the user who made a key."""
    here.picture.parent.mkdir(parents=True)
    here.picture.write_bytes(PICTURE)
    Picture.objects.create(digest=DIGEST, size=9, status=PictureStatus.READY)
    received = here.folder / "uploads" / f"{'cd' * 32}.original"
    received.parent.mkdir(mode=0o700)
    received.write_bytes(b"not converted yet")
    files.keep(Invoice.objects.get(order=invoiced()), b"%PDF-1.7")
    gift_card()
    store_credit(CustomerFactory())
    webhooks.address()
    token = token_of(UserFactory(is_superuser=True))
    answer = Client().post(
        "/admin/api-keys", orjson.dumps(KEY), content_type="application/json", headers=repeatable(token)
    )
    assert answer.status_code == 200
    return token


def repeatable(token: str) -> dict[str, str]:
    """The headers of the request that made the key."""
    return {"Authorization": f"Bearer {token}", "Idempotency-Key": "the-key-of-the-web"}


@pytest.fixture
def backup(request: pytest.FixtureRequest, here: Place, tmp_path: Path) -> Path:
    """A copy of a backup of that shop, which is made once."""
    if connection.vendor not in _made:
        request.getfixturevalue("staff_token")
        create(str(tmp_path / "made.zip"), quiet)
        _made[connection.vendor] = (tmp_path / "made.zip").read_bytes()
    path = tmp_path / "shop.zip"
    path.write_bytes(_made[connection.vendor])
    return path


def quiet(step: str, size: int) -> Callable[[int], object]:
    return lambda count: None


def _at(folder: Path, environment: dict[str, str]) -> dict[str, str]:
    folder.mkdir()
    return {**environment, **_folders(folder)}


def _folders(folder: Path) -> dict[str, str]:
    names = {"MEDIA_ROOT": "media", "UPLOAD_DIR": "uploads", "INVOICE_DIR": "invoices"}
    return {name: str(folder / path) for name, path in names.items()}
