"""The indexes of expired carts are built while the shop serves, also after that was interrupted."""

import pytest
from django.db import connection

from tests.plugins.migrating import migrate, migrated_back

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NAMES = {"carts_cart_of_guests", "carts_cart_of_customers", "carts_cart_empty"}


def valid() -> dict[str, bool]:
    """The indexes by name, and whether queries can use them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
            " WHERE relname = ANY(%s)",
            [[*NAMES]],
        )
        return dict(cursor.fetchall())


@pytest.mark.every(4)
def test_a_migration_that_was_interrupted_can_be_run_again() -> None:
    with migrated_back("carts", "0011_empty_since"):
        assert valid() == {}
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX carts_cart_of_guests ON carts_cart (created_at)")
        migrate("carts", "0012_expiry_indexes")
        assert valid() == dict.fromkeys(NAMES, True)
