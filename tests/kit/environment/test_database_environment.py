"""What the environment says of a database behind a pooler."""

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured

from kit.environment.database_environment import pooled_database
from kit.environment.typed_environment import Environment

pytestmark = pytest.mark.once
URL = "postgresql://shop@pooler/shop"


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> Environment:
    """The process's own, with the URL of a pooler and nothing else of a database."""
    for name in ("DATABASE_SOCKET", "DATABASE_POOL", "DATABASE_PREPARE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", URL)
    return Environment()


@pytest.mark.parametrize(("given", "threshold"), [(None, None), ("0", None), ("false", None), ("1", 2), ("true", 2)])
def test_statements_are_prepared_behind_a_pooler_only_where_it_is_asked_for(
    env: Environment, monkeypatch: pytest.MonkeyPatch, given: str | None, threshold: int | None
) -> None:
    if given is not None:
        monkeypatch.setenv("DATABASE_PREPARE", given)
    assert pooled_database(env)["OPTIONS"]["prepare_threshold"] == threshold


def test_an_old_libpq_would_release_them_by_a_statement_that_poolers_do_not_know(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psycopg.capabilities, "has_send_close_prepared", lambda: False)
    assert pooled_database(env)["OPTIONS"]["prepare_threshold"] is None
    monkeypatch.setenv("DATABASE_PREPARE", "1")
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_PREPARE needs libpq 17 or newer, and finds \d+\.\d+: "):
        pooled_database(env)
