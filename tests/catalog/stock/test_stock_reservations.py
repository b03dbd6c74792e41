"""Reserving stock and releasing it."""

import pytest
from django.db.models import Sum

from catalog import errors
from catalog.models import InventoryLevel, Reservation
from catalog.stock.reservations import ReservationRequest, release, reserve
from kit.domain.actor import SYSTEM, Actor
from kit.domain.soft_deletion import delete
from kit.errors import Forbidden, InvalidData
from tests.factories.inventory import InventoryLevelFactory

pytestmark = pytest.mark.django_db


def request_for(level, quantity, **more):
    return ReservationRequest(level.inventory_item_id, level.location_id, quantity, **more)


def reserved(level):
    """What the level says, after holding it to the sum of its reservations."""
    kept = InventoryLevel.objects.get(pk=level.pk).reserved_quantity
    alive = Reservation.objects.not_deleted().filter(inventory_item=level.inventory_item_id, location=level.location_id)
    assert kept == (alive.aggregate(sum=Sum("quantity"))["sum"] or 0)
    return kept


def test_a_reservation_names_what_it_is_for():
    level = InventoryLevelFactory(stocked_quantity=10)

    [made] = reserve(actor=SYSTEM, requests=[request_for(level, 3, line_item_id="cali_1", description="Cart 1")])

    stored = Reservation.objects.get(pk=made.pk)
    assert (stored.inventory_item_id, stored.location_id) == (level.inventory_item_id, level.location_id)
    assert (stored.quantity, stored.line_item_id, stored.description) == (3, "cali_1", "Cart 1")
    assert reserved(level) == 3


def test_all_that_is_there_can_be_reserved_and_not_one_piece_more():
    level = InventoryLevelFactory(stocked_quantity=10)
    reserve(actor=SYSTEM, requests=[request_for(level, 10)])

    with pytest.raises(errors.NotEnoughStock, match=level.inventory_item_id):
        reserve(actor=SYSTEM, requests=[request_for(level, 1)])

    assert reserved(level) == 10


def test_backorder_promises_what_is_not_there():
    level = InventoryLevelFactory(stocked_quantity=1)

    reserve(actor=SYSTEM, requests=[request_for(level, 5, allow_backorder=True)])

    assert reserved(level) == 5


def test_demands_of_one_level_are_added_up_and_answered_in_their_order():
    level = InventoryLevelFactory(stocked_quantity=5)

    made = reserve(actor=SYSTEM, requests=[request_for(level, 2), request_for(level, 3)])

    assert [reservation.quantity for reservation in made] == [2, 3]
    assert reserved(level) == 5


@pytest.mark.parametrize(
    ("second", "refusal"),
    [
        ({"quantity": 11}, errors.NotEnoughStock),
        ({"quantity": 0}, InvalidData),
        ({"location_id": "sloc_unknown"}, errors.InventoryLevelNotFound),
    ],
)
def test_one_refused_demand_refuses_them_all(second, refusal):
    level, other = InventoryLevelFactory(stocked_quantity=10), InventoryLevelFactory(stocked_quantity=10)
    refused = {
        "inventory_item_id": other.inventory_item_id,
        "location_id": other.location_id,
        "quantity": 1,
        **second,
    }

    with pytest.raises(refusal):
        reserve(actor=SYSTEM, requests=[request_for(level, 1), ReservationRequest(**refused)])

    assert (reserved(level), reserved(other)) == (0, 0)


@pytest.mark.parametrize("deleted", ["level", "inventory_item", "location"])
def test_of_what_is_deleted_nothing_is_reserved(deleted):
    level = InventoryLevelFactory(stocked_quantity=10)
    delete(level if deleted == "level" else getattr(level, deleted))

    with pytest.raises(errors.InventoryLevelNotFound):
        reserve(actor=SYSTEM, requests=[request_for(level, 1, allow_backorder=True)])

    assert reserved(level) == 0


def test_what_was_reserved_of_a_deleted_item_is_released():
    level = InventoryLevelFactory(stocked_quantity=10)
    [made] = reserve(actor=SYSTEM, requests=[request_for(level, 3)])
    delete(level.inventory_item)

    release(actor=SYSTEM, reservation_ids=[made.pk])

    assert reserved(level) == 0


def test_released_stock_can_be_reserved_again():
    level = InventoryLevelFactory(stocked_quantity=5)
    kept, ended = reserve(actor=SYSTEM, requests=[request_for(level, 2), request_for(level, 3)])

    release(actor=SYSTEM, reservation_ids=[ended.pk])

    assert reserved(level) == 2
    reserve(actor=SYSTEM, requests=[request_for(level, 3)])
    assert reserved(level) == 5
    assert Reservation.objects.not_deleted().filter(pk=kept.pk).exists()


def test_a_reservation_is_released_once():
    level = InventoryLevelFactory(stocked_quantity=5)
    first, second = reserve(actor=SYSTEM, requests=[request_for(level, 1), request_for(level, 1)])
    release(actor=SYSTEM, reservation_ids=[first.pk])

    with pytest.raises(errors.ReservationNotFound, match=first.pk):
        release(actor=SYSTEM, reservation_ids=[first.pk, second.pk])

    assert reserved(level) == 1


def test_naming_a_reservation_twice_releases_it_once():
    level = InventoryLevelFactory(stocked_quantity=5)
    [made] = reserve(actor=SYSTEM, requests=[request_for(level, 2)])

    release(actor=SYSTEM, reservation_ids=[made.pk, made.pk])

    assert reserved(level) == 0


def test_both_verbs_ask_for_their_permission_first():
    level = InventoryLevelFactory(stocked_quantity=5)
    [made] = reserve(actor=SYSTEM, requests=[request_for(level, 2)])
    customer = Actor(type="customer", id="cus_1")

    with pytest.raises(Forbidden):
        reserve(actor=customer, requests=[request_for(level, 1)])
    with pytest.raises(Forbidden):
        release(actor=customer, reservation_ids=[made.pk])

    assert reserved(level) == 2
