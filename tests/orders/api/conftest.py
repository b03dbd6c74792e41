"""Programs that read orders, and what their keys are limited to."""

from collections.abc import Callable

import pytest

from tests.contract.callers import Caller, importer
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory

ProgramWith = Callable[..., Caller]


@pytest.fixture
def program_with(db: None) -> ProgramWith:
    """Makes a program whose key is limited to these permissions."""
    user = UserFactory(is_superuser=True)
    return lambda *permissions: importer(secret_key(user, permissions=[*permissions]))


@pytest.fixture
def erp(program_with: ProgramWith) -> Caller:
    """A program that may view orders, and nothing else."""
    return program_with("orders.view_order")
