import pytest

from catalog.errors import NotEnoughStock, ReservationNotFound
from catalog.models import InventoryLevel, Reservation
from catalog.stock.reservations import ReservationRequest, release, reserve
from kit.domain.actor import SYSTEM
from tests.concurrency.crowd import at_once
from tests.factories.inventory import InventoryLevelFactory

THREADS = 20

pytestmark = pytest.mark.django_db(transaction=True)


def reserved(level):
    return InventoryLevel.objects.get(pk=level.pk).reserved_quantity


def test_of_twenty_who_want_three_of_ten_three_get_them():
    level = InventoryLevelFactory(stocked_quantity=10)

    def served(_: int) -> bool:
        try:
            reserve(actor=SYSTEM, requests=[ReservationRequest(level.inventory_item_id, level.location_id, 3)])
        except NotEnoughStock:
            return False
        return True

    assert sum(at_once(served, threads=THREADS)) == 3
    assert reserved(level) == 9
    assert Reservation.objects.count() == 3


def test_baskets_of_the_same_things_in_any_order_do_not_block_each_other():
    one, two = InventoryLevelFactory(stocked_quantity=THREADS), InventoryLevelFactory(stocked_quantity=THREADS)

    def basket(number: int) -> None:
        levels = [one, two] if number % 2 else [two, one]
        reserve(
            actor=SYSTEM,
            requests=[ReservationRequest(level.inventory_item_id, level.location_id, 1) for level in levels],
        )

    at_once(basket, threads=THREADS)

    assert (reserved(one), reserved(two)) == (THREADS, THREADS)


def test_a_reservation_that_many_release_at_once_is_released_once():
    level = InventoryLevelFactory(stocked_quantity=10)
    kept, ended = reserve(
        actor=SYSTEM,
        requests=[ReservationRequest(level.inventory_item_id, level.location_id, quantity) for quantity in (4, 3)],
    )

    def released(_: int) -> bool:
        try:
            release(actor=SYSTEM, reservation_ids=[ended.pk])
        except ReservationNotFound:
            return False
        return True

    assert sum(at_once(released, threads=8)) == 1
    assert reserved(level) == kept.quantity
