"""What migrations of large tables run on PostgreSQL."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations.state import ProjectState

from kit.database.large_tables import AddColumnInPlace, DropNotNullWhileServing

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite recreates tables"),
]


def test_a_column_becomes_optional_and_keeps_its_foreign_key() -> None:
    operation = DropNotNullWhileServing(
        "paymentcollection",
        "cart",
        models.OneToOneField("carts.Cart", models.PROTECT, null=True, related_name="payment_collection"),
    )
    after = ProjectState.from_apps(apps)
    before = after.clone()
    required = models.OneToOneField("carts.Cart", models.PROTECT, related_name="payment_collection")
    before.alter_field("payments", "paymentcollection", "cart", required, preserve_default=True)
    with connection.schema_editor(collect_sql=True, atomic=False) as editor:
        operation.database_forwards("payments", editor, before, after)
        operation.database_backwards("payments", editor, after, before)
    column = 'ALTER TABLE "payments_paymentcollection" ALTER COLUMN "cart_id"'
    assert editor.collected_sql == [f"{column} DROP NOT NULL;", f"{column} SET NOT NULL;"]


def test_a_column_is_added_without_reading_a_row() -> None:
    operation = AddColumnInPlace("order", "spare", models.PositiveIntegerField(default=0, db_default=0))
    before = ProjectState.from_apps(apps)
    after = before.clone()
    operation.state_forwards("orders", after)
    with connection.schema_editor(collect_sql=True, atomic=False) as editor:
        operation.database_forwards("orders", editor, before, after)
    assert editor.collected_sql == ['ALTER TABLE "orders_order" ADD COLUMN "spare" integer DEFAULT 0 NOT NULL;']


def test_a_column_that_an_interrupted_migration_has_added_stays() -> None:
    operation = AddColumnInPlace("order", "version", models.PositiveIntegerField(default=1, db_default=1))
    state = ProjectState.from_apps(apps)
    with connection.schema_editor(collect_sql=True, atomic=False) as editor:
        operation.database_forwards("orders", editor, state, state)
    assert editor.collected_sql == []


def test_exchanges_are_added_without_a_lock_on_orders(capsys: pytest.CaptureFixture[str]) -> None:
    """Orders are placed and edited meanwhile, which lock carts, orders and their changes in that order."""
    call_command("sqlmigrate", "orders", "0036_exchanges")
    assert '"orders_order"' not in capsys.readouterr().out
