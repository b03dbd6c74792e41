"""A migration runs while servers of the version before still answer: it must not take away what these use."""

import pytest
from django.db.migrations.loader import MigrationLoader
from django_migration_linter import MigrationLinter

# Indexes are built outside of a transaction.
pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

# The last migrations from before the first release, when no server could be running.
BEFORE_THE_RULE = {
    "apikeys": "0002_limited_keys",
    "carts": "0007_of_email",
    "catalog": "0006_stock_laws",
    "commerce_auth": "0003_password_reset",
    "customers": "0002_erasure",
    "giftcards": "0006_erased_notes",
    "idempotency": "0002_erasure",
    "jobs": "0002_moved_tasks",
    "mails": "0002_mail_about",
    "orders": "0014_requested_returns",
    "payments": "0008_refused_intents",
    "shop": "0004_currencies_and_countries",
    "staff": "0003_invitation",
}
UNIQUE_ALREADY = {("orders", "0036_exchanges")}
"""Their unique constraints are about columns that older servers leave null, or replace a stricter one."""
OTHERS = ["admin", "auth", "contenttypes", "django_tasks_database", "otp_static", "otp_totp", "sessions"]


def linter(*ignored: str) -> MigrationLinter:
    return MigrationLinter(
        no_cache=True,
        analyser_string="postgresql",
        exclude_apps=OTHERS,
        exclude_migration_tests=ignored,
        ignore_initial_migrations=True,
    )


def test_new_migrations_suit_running_servers(capsys: pytest.CaptureFixture[str]) -> None:
    checked, but_unique = linter(), linter("ADD_UNIQUE")
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if name > BEFORE_THE_RULE.get(app, ""):
            (but_unique if (app, name) in UNIQUE_ALREADY else checked).lint_migration(migration)
    assert not checked.has_errors, capsys.readouterr().out
    assert not but_unique.has_errors, capsys.readouterr().out


def test_a_column_that_servers_must_fill_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    checked = linter()
    checked.lint_migration(MigrationLoader(None).disk_migrations["giftcards", "0004_holds"])
    assert "NOT NULL constraint on columns" in capsys.readouterr().out
