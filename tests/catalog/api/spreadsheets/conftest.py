from pathlib import Path
from typing import Any

import pytest

from staff.models import User
from tests.catalog.api.spreadsheets.sending import IMPORTING
from tests.contract.callers import Caller, importer
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_DIR, settings.UPLOAD_DIR = str(tmp_path / "exports"), str(tmp_path / "uploads")
    return tmp_path / "exports" / "spreadsheets"


@pytest.fixture
def user() -> User:
    return UserFactory(permissions=IMPORTING)


@pytest.fixture
def program(user: User) -> Caller:
    return importer(secret_key(user))


@pytest.fixture
def other() -> Caller:
    return importer(secret_key(UserFactory(permissions=IMPORTING)))
