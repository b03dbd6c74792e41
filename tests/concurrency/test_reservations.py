"""Reservations by hand beside each other, beside checkouts, and beside the deletion of what they are of."""

import pytest
from django.db import transaction

from catalog.models import InventoryLevel, Reservation, VariantInventoryItem
from catalog.stock.errors import LevelInUse, NotEnoughStock
from catalog.stock.inventory_item_editing import VERBS as ITEMS
from catalog.stock.reservations import VERBS
from catalog.stock.stock_claims import LineClaim, claim_stock
from catalog.stock.stock_levels import delete_levels
from kit.database.locking import retry_on_conflict
from kit.domain.actor import SYSTEM
from kit.errors import DomainError, NotAllowed, NotFound
from shop.models import Store
from tests.concurrency.crowd import at_once
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory, stock
from tests.factories.products import VariantFactory

THREADS = 20

pytestmark = pytest.mark.django_db(transaction=True)


def reserved(level: InventoryLevel) -> int:
    return InventoryLevel.objects.get(pk=level.pk).reserved_quantity


def place(level: InventoryLevel) -> dict[str, str]:
    return {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}


def reserve(level: InventoryLevel, quantity: int) -> bool:
    try:
        VERBS.create(actor=SYSTEM, **place(level), quantity=quantity)
    except NotEnoughStock:
        return False
    return True


def test_of_twenty_who_want_three_of_ten_three_get_them() -> None:
    level = InventoryLevelFactory(stocked_quantity=10)
    assert sum(at_once(lambda _: reserve(level, 3), threads=THREADS)) == 3
    assert reserved(level) == 9
    assert Reservation.objects.count() == 3


def test_checkouts_and_reservations_by_hand_share_the_last_pieces() -> None:
    variant = VariantFactory()
    level = stock(variant, 10)
    channel = Store.objects.get().default_sales_channel_id

    def served(number: int) -> bool:
        if number % 2:
            return reserve(level, 1)
        try:
            with transaction.atomic():
                claim_stock([LineClaim(f"ordli_{number}", variant.pk, 1)], channel)
        except NotAllowed:
            return False
        return True

    assert sum(at_once(served, threads=THREADS)) == 10
    assert reserved(level) == 10 == Reservation.objects.count()


def test_reservations_of_the_same_things_in_any_order_do_not_block_each_other() -> None:
    one, two = InventoryLevelFactory(stocked_quantity=THREADS), InventoryLevelFactory(stocked_quantity=THREADS)

    def basket(number: int) -> None:
        levels = [one, two] if number % 2 else [two, one]
        VERBS.put(actor=SYSTEM, states=[VERBS.state(**place(level), quantity=1) for level in levels])

    at_once(basket, threads=THREADS)
    assert (reserved(one), reserved(two)) == (THREADS, THREADS)


def test_moves_to_and_fro_exceed_no_stock_and_lose_no_piece() -> None:
    one = InventoryLevelFactory(stocked_quantity=8)
    two = InventoryLevelFactory(inventory_item=one.inventory_item, stocked_quantity=3)
    rows = [ReservationFactory(level=one, quantity=1).pk for _ in range(8)]

    def move(number: int) -> None:
        for level in (two, one, two):
            try:
                retry_on_conflict(
                    lambda to=level: VERBS.update(actor=SYSTEM, id=rows[number], location_id=to.location_id)
                )
            except NotEnoughStock:
                continue

    at_once(move, threads=8)
    assert reserved(one) + reserved(two) == 8
    assert reserved(two) <= 3
    for level in (one, two):
        assert Reservation.objects.filter(location=level.location_id).count() == reserved(level)


def test_a_reservation_that_many_release_at_once_is_released_once() -> None:
    level = InventoryLevelFactory(stocked_quantity=10)
    kept, ended = (ReservationFactory(level=level, quantity=quantity) for quantity in (4, 3))

    def released(_: int) -> bool:
        try:
            VERBS.delete(actor=SYSTEM, ids=[ended.pk])
        except NotFound:
            return False
        return True

    assert sum(at_once(released, threads=8)) == 1
    assert reserved(level) == kept.quantity


@pytest.mark.parametrize("what", ["level", "item"])
def test_what_is_reserved_at_that_moment_is_not_deleted(what: str) -> None:
    """Whoever comes first: the reservation has its level, or there is none."""
    level = InventoryLevelFactory(stocked_quantity=0)
    VariantInventoryItem.objects.create(variant=VariantFactory(), inventory_item=level.inventory_item)
    InventoryLevel.objects.filter(pk=level.pk).update(incoming_quantity=0)

    def act(number: int) -> str:
        try:
            if number % 4:
                return "reserved" if reserve_backorder(level) else ""
            if what == "level":
                delete_levels(actor=SYSTEM, ids=[level.pk], force=True)
            else:
                ITEMS.delete(actor=SYSTEM, ids=[level.inventory_item_id])
        except (LevelInUse, NotFound, DomainError):
            return ""
        return "deleted"

    done = at_once(act, threads=8)
    level.refresh_from_db()
    level.inventory_item.refresh_from_db()
    is_deleted = (level if what == "level" else level.inventory_item).deleted_at is not None
    assert is_deleted == ("deleted" in done)
    assert level.reserved_quantity == Reservation.objects.count() == done.count("reserved")
    assert not (what == "level" and is_deleted and level.reserved_quantity)


def reserve_backorder(level: InventoryLevel) -> bool:
    """As a line with backorder does."""
    variant_id = VariantInventoryItem.objects.get(inventory_item=level.inventory_item_id).variant_id
    type(level.inventory_item.variants.get()).objects.filter(pk=variant_id).update(allow_backorder=True)
    with transaction.atomic():
        claim_stock([LineClaim("ordli_1", variant_id, 1)], Store.objects.get().default_sales_channel_id)
    return True
