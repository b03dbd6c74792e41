"""Reserving stock by hand, moving reservations, and ending them."""

from typing import Any

import pytest
from django.db.models import Sum

from catalog.models import InventoryLevel, Reservation
from catalog.stock.reservations import VERBS
from kit.domain.actor import SYSTEM, Actor
from kit.domain.soft_deletion import delete
from kit.editing.states import RowsRefused
from kit.errors import DomainError, Forbidden, NotFound
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory

pytestmark = pytest.mark.django_db


def state_of(level: InventoryLevel, quantity: int, **more: Any) -> Any:
    place = {"inventory_item_id": level.inventory_item_id, "location_id": level.location_id}
    return VERBS.state(**{**place, "quantity": quantity, **more})


def reserve(*states: Any) -> list[Reservation]:
    return [one.row for one in VERBS.put(actor=SYSTEM, states=states)]


def reserved(level: InventoryLevel) -> int:
    """What the level says, after holding it to the sum of its reservations."""
    kept = InventoryLevel.objects.get(pk=level.pk).reserved_quantity
    alive = Reservation.objects.not_deleted().filter(inventory_item=level.inventory_item_id, location=level.location_id)
    assert kept == (alive.aggregate(sum=Sum("quantity"))["sum"] or 0)
    return kept


def test_all_that_is_there_can_be_reserved_and_not_one_piece_more() -> None:
    level = InventoryLevelFactory(stocked_quantity=10)
    assert [row.quantity for row in reserve(state_of(level, 4), state_of(level, 6))] == [4, 6]
    with pytest.raises(RowsRefused, match=f"Not enough stock available for item {level.inventory_item_id}"):
        reserve(state_of(level, 1))
    assert reserved(level) == 10


@pytest.mark.parametrize(
    ("second", "field"),
    [
        ({"quantity": 11}, "quantity"),
        ({"quantity": 0}, "quantity"),
        ({"quantity": -1}, "quantity"),
        ({"location_id": "sloc_unknown"}, "location"),
        ({"inventory_item_id": "iitem_unknown"}, "inventory_item"),
        ({"line_item_id": "ordli_1"}, "line_item_id"),
    ],
)
def test_one_refused_demand_refuses_them_all(second: dict[str, Any], field: str) -> None:
    level, other = InventoryLevelFactory(stocked_quantity=10), InventoryLevelFactory(stocked_quantity=10)
    with pytest.raises(RowsRefused) as refusal:
        reserve(state_of(level, 1), state_of(other, **{"quantity": 1, **second}))
    assert {(fault.index, fault.field) for fault in refusal.value.faults} == {(1, field)}
    assert (reserved(level), reserved(other)) == (0, 0)


@pytest.mark.parametrize("deleted", ["level", "inventory_item", "location"])
def test_of_what_is_deleted_nothing_is_reserved(deleted: str) -> None:
    level = InventoryLevelFactory(stocked_quantity=10)
    delete(level if deleted == "level" else getattr(level, deleted))
    with pytest.raises(RowsRefused):
        reserve(state_of(level, 1))
    assert reserved(level) == 0


def test_a_quantity_grows_within_the_stock_and_shrinks_whatever_it_is() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    [made] = reserve(state_of(level, 2))
    VERBS.update(actor=SYSTEM, id=made.pk, quantity=5)
    assert reserved(level) == 5
    with pytest.raises(DomainError, match="Not enough stock"):
        VERBS.update(actor=SYSTEM, id=made.pk, quantity=6)
    ReservationFactory(level=level, quantity=9, allow_backorder=True, line_item_id="ordli_1")
    VERBS.update(actor=SYSTEM, id=made.pk, quantity=4)
    assert reserved(level) == 13


def test_a_reservation_moves_to_a_location_that_has_enough() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    other = InventoryLevelFactory(inventory_item=level.inventory_item, stocked_quantity=3)
    of_line = ReservationFactory(level=level, quantity=3, line_item_id="ordli_1")
    [by_hand] = reserve(state_of(level, 2))
    VERBS.update(actor=SYSTEM, id=of_line.pk, location_id=other.location_id, description="Closer")
    assert (reserved(level), reserved(other)) == (2, 3)
    with pytest.raises(DomainError, match="Not enough stock"):
        VERBS.update(actor=SYSTEM, id=by_hand.pk, location_id=other.location_id)
    with pytest.raises(DomainError, match="is not stocked at location"):
        VERBS.update(actor=SYSTEM, id=by_hand.pk, location_id=InventoryLevelFactory().location_id)
    assert (reserved(level), reserved(other)) == (2, 3)


def test_what_a_line_has_reserved_is_neither_changed_nor_ended_by_hand() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    of_line, by_hand = ReservationFactory(level=level, line_item_id="ordli_1"), ReservationFactory(level=level)
    with pytest.raises(DomainError, match="line item ordli_1 is reserved by its order"):
        VERBS.update(actor=SYSTEM, id=of_line.pk, quantity=1)
    with pytest.raises(DomainError, match="line item ordli_1 is reserved by its order"):
        VERBS.delete(actor=SYSTEM, ids=[by_hand.pk, of_line.pk])
    VERBS.update(actor=SYSTEM, id=of_line.pk, quantity=2, metadata={"bin": 7})
    assert reserved(level) == 4


def test_what_was_reserved_of_a_deleted_item_is_released() -> None:
    level = InventoryLevelFactory(stocked_quantity=10)
    [made] = reserve(state_of(level, 3))
    delete(level.inventory_item)
    VERBS.delete(actor=SYSTEM, ids=[made.pk])
    assert reserved(level) == 0


def test_a_reservation_is_released_once_and_its_stock_can_be_reserved_again() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    first, second = reserve(state_of(level, 2), state_of(level, 3))
    VERBS.delete(actor=SYSTEM, ids=[first.pk, first.pk])
    with pytest.raises(NotFound, match=first.pk):
        VERBS.delete(actor=SYSTEM, ids=[first.pk, second.pk])
    assert reserved(level) == 3
    reserve(state_of(level, 2))
    assert reserved(level) == 5


def test_verbs_ask_for_their_permission_first() -> None:
    level = InventoryLevelFactory(stocked_quantity=5)
    [made] = reserve(state_of(level, 2))
    customer = Actor(type="customer", id="cus_1")
    with pytest.raises(Forbidden):
        VERBS.put(actor=customer, states=[state_of(level, 1)])
    with pytest.raises(Forbidden):
        VERBS.delete(actor=customer, ids=[made.pk])
    assert reserved(level) == 2
