"""Migrations of stock on a shop that has applied them before."""

import pytest
from django.db import connection

from catalog.models import InventoryLevel, StockMovement
from catalog.stock import stock_triggers
from catalog.stock.stock_invariants import STOCK_INVARIANTS
from tests.factories.inventory import InventoryLevelFactory, count_stock
from tests.plugins.migrating import migrated_back

pytestmark = [pytest.mark.every(4), pytest.mark.django_db(transaction=True)]


def test_0006_applied_again_opens_only_what_no_movement_explains() -> None:
    known, counted, empty = InventoryLevelFactory(stocked_quantity=5), InventoryLevelFactory(), InventoryLevelFactory()
    count_stock(7, InventoryLevel.objects.filter(pk=counted.pk))
    with migrated_back("catalog", "0005_stock_movements") as apps:
        old = apps.get_model("catalog", "InventoryLevel").objects
        old.filter(pk=counted.pk).update(stocked_quantity=4)
    assert stock_triggers.missing(connection) == []
    assert [list(invariant.violations()) for invariant in STOCK_INVARIANTS] == [[] for _ in STOCK_INVARIANTS]
    moves = StockMovement.objects.order_by("pk").values_list("level_id", "reason", "stocked_before", "stocked_after")
    assert list(moves) == [
        (known.pk, "set", 0, 5),
        (counted.pk, "set", 0, 7),
        (counted.pk, "opening", 7, 4),
    ]
    assert not StockMovement.objects.filter(level=empty).exists()
