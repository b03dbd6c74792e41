from pathlib import Path

import pytest
from pytest_django import Settings

from tests.crash.interrupted_payments import PATIENCE, PROVIDER
from tests.crash.journal_provider import JOURNAL, NAME, Journal

pytest.register_assert_rewrite("tests.crash.wishes", "tests.crash.checkouts")


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Journal:
    """Of the provider that this test's processes ask, and for whose answer they wait a short time only."""
    path = tmp_path / "journal"
    monkeypatch.setenv(JOURNAL, str(path))
    settings.PAYMENT_PROVIDERS = {PROVIDER: NAME}
    settings.PAYMENT_PATIENCE = PATIENCE
    return Journal(path)
