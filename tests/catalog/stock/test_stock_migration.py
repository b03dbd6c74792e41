"""What the migration makes of a shop whose stock and reservations have no history, and may not add up."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from catalog.models import InventoryLevel, Reservation, StockMovement
from catalog.stock import stock_triggers
from catalog.stock.stock_invariants import STOCK_INVARIANTS
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.products import VariantFactory
from tests.giftcards.books import in_place

pytestmark = pytest.mark.django_db

laws = import_module("catalog.migrations.0006_stock_laws")


def reservation(level: InventoryLevel, quantity: int, **columns: object) -> Reservation:
    return Reservation.objects.create(
        inventory_item=level.inventory_item, location=level.location, quantity=quantity, **columns
    )


def migrate() -> None:
    """From 0005, which has the tables and no triggers."""
    laws._settle(apps, None)
    in_place(stock_triggers.install)


def test_sums_are_set_right_and_all_stock_gets_an_opening_movement() -> None:
    in_place(stock_triggers.remove)
    mug, card = VariantFactory(), VariantFactory(allow_backorder=True)
    wrong, right, empty = (stock(mug, 0) for _ in range(3))
    stored = {wrong: (7, 99), right: (5, 2), empty: (0, 4)}
    for level, (stocked, reserved) in stored.items():
        InventoryLevel.objects.filter(pk=level.pk).update(stocked_quantity=stocked, reserved_quantity=reserved)
    sold = [reservation(wrong, 3), reservation(wrong, 1), reservation(right, 2)]
    reservation(empty, 4, deleted_at="2026-01-01T00:00:00Z")
    backordered = reservation(stock(card, 0), 6)
    lost, place = InventoryItemFactory(), StockLocationFactory()
    Reservation.objects.create(inventory_item=lost, location=place, quantity=8)

    migrate()

    levels = InventoryLevel.objects.values_list("stocked_quantity", "reserved_quantity")
    assert [levels.get(pk=level.pk) for level in stored] == [(7, 4), (5, 2), (0, 0)]
    assert levels.get(inventory_item=lost, location=place) == (0, 8)
    movements = StockMovement.objects.values_list("level_id", "reason", "stocked_before", "stocked_after")
    assert set(movements) == {(wrong.pk, "opening", 0, 7), (right.pk, "opening", 0, 5)}
    allowing = Reservation.objects.filter(allow_backorder=True)
    assert [each.pk for each in allowing] == [backordered.pk]
    assert not any(Reservation.objects.get(pk=each.pk).allow_backorder for each in sold)
    assert stock_triggers.missing(connection) == []
    assert [list(invariant.violations()) for invariant in STOCK_INVARIANTS] == [[] for _ in STOCK_INVARIANTS]
