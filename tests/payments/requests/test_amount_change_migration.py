"""The constraint that knows requests to change an amount takes the place of the former one, and never leaves a gap."""

import pytest
from django.db import connection

from tests.plugins.migrating import migrate, migrated_back

pytestmark = [pytest.mark.every(4), pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

BEFORE, AFTER = "0010_collections_to_look_at", "0011_amount_changes"
NAME = "payments_intent_amount"


def constraint() -> tuple[str, bool]:
    """Its text, and whether it was checked for all rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_constraintdef(oid), convalidated FROM pg_constraint WHERE conname = %s", [NAME])
        (found,) = cursor.fetchall()
    return found


def test_it_is_replaced_and_can_be_reversed() -> None:
    now = constraint()
    assert ("update" in now[0], now[1]) == (True, True)
    with migrated_back("payments", BEFORE):
        former = constraint()
        assert ("update" in former[0], former[1]) == (False, True)
    assert constraint() == now


@pytest.mark.parametrize("left", ["", "ADD CONSTRAINT payments_intent_amount CHECK (amount IS NULL) NOT VALID"])
def test_a_migration_that_was_interrupted_can_be_run_again(left: str) -> None:
    now = constraint()
    with migrated_back("payments", BEFORE):
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER TABLE payments_intent DROP CONSTRAINT {NAME}")
            if left:
                cursor.execute(f"ALTER TABLE payments_intent {left}")
        migrate("payments", AFTER)
        assert constraint() == now
