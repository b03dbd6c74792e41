"""Many who change the same stock at once."""

import pytest
from django.db import transaction

from catalog.models import InventoryLevel, StockMovement
from catalog.stock.errors import ReservationTooSmall, StockBelowZero, StockMismatch
from catalog.stock.stock_changes import StockChange, change_stock
from catalog.stock.stock_deduction import StockQuantity, deduct_reserved_stock
from kit.database.locking import retry_on_conflict
from kit.domain.actor import SYSTEM
from tests.concurrency.crowd import at_once
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory

THREADS = 20
pytestmark = pytest.mark.django_db(transaction=True)


def stocks(*levels: InventoryLevel) -> list[tuple[int, int]]:
    rows = [InventoryLevel.objects.get(pk=level.pk) for level in levels]
    return [(row.stocked_quantity, row.reserved_quantity) for row in rows]


def test_of_twenty_who_take_one_of_ten_ten_get_it() -> None:
    level = InventoryLevelFactory(stocked_quantity=10)

    def taken(_: int) -> bool:
        try:
            change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, adjust_by=-1)])
        except StockBelowZero:
            return False
        return True

    assert sum(at_once(taken, threads=THREADS)) == 10
    assert stocks(level) == [(0, 0)]
    assert StockMovement.objects.filter(level=level).count() == 11


def test_of_twenty_who_expect_the_same_stock_one_sets_it() -> None:
    level = InventoryLevelFactory(stocked_quantity=50)

    def was_set(number: int) -> bool:
        change = StockChange(
            level.inventory_item_id, level.location_id, stocked_quantity=number, expected_stocked_quantity=50
        )
        try:
            change_stock(actor=SYSTEM, changes=[change])
        except StockMismatch:
            return False
        return True

    assert sum(at_once(was_set, threads=THREADS)) == 1


def test_batches_of_the_same_levels_in_any_order_do_not_block_each_other() -> None:
    levels = [InventoryLevelFactory(stocked_quantity=THREADS) for _ in range(3)]

    def adjust(number: int) -> None:
        ordered = levels if number % 2 else levels[::-1]
        change_stock(
            actor=SYSTEM,
            changes=[StockChange(level.inventory_item_id, level.location_id, adjust_by=-1) for level in ordered],
        )

    at_once(adjust, threads=THREADS)
    assert stocks(*levels) == [(0, 0)] * 3


def test_what_is_reserved_is_shipped_once_while_stock_is_adjusted() -> None:
    reservation = ReservationFactory(quantity=5, line_item_id="ordli_1", level__stocked_quantity=30)
    level = reservation.inventory_item.levels.get()
    part = StockQuantity("ordli_1", level.inventory_item_id, 1)

    @transaction.atomic
    def ship(number: int) -> None:
        deduct_reserved_stock(
            actor=SYSTEM,
            location_id=level.location_id,
            quantities=[part],
            fulfillment_id=f"ful_{number}",
        )

    def shipped(number: int) -> bool:
        if number % 2:
            change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, adjust_by=1)])
            return False
        try:
            retry_on_conflict(lambda: ship(number))
        except ReservationTooSmall:
            return False
        return True

    assert sum(at_once(shipped, threads=THREADS)) == 5
    assert stocks(level) == [(30 - 5 + THREADS // 2, 0)]
