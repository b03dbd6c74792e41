"""What migrations of large tables run on PostgreSQL."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.state import ProjectState

from kit.database.large_tables import DropNotNullWhileServing

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
