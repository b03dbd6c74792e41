"""Random reservations and releases against plain arithmetic."""

import pytest
from django.db import transaction
from django.db.models import Sum
from hypothesis import given
from hypothesis import strategies as st

from catalog.models import Reservation
from catalog.stock.reservations import VERBS
from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused
from tests.factories.inventory import InventoryLevelFactory

STOCKED = (6, 3)
requests = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 4)), min_size=1, max_size=3)
steps = st.lists(
    st.tuples(st.just("reserve"), requests) | st.tuples(st.just("release"), st.integers(0, 20)), max_size=12
)


@pytest.mark.django_db
@given(steps)
def test_what_levels_say_is_the_sum_of_the_reservations_that_were_granted(steps):
    with transaction.atomic():
        levels = [InventoryLevelFactory(stocked_quantity=quantity) for quantity in STOCKED]
        standing = []
        for act, what in steps:
            if act == "reserve":
                standing += _reserved(levels, what, standing)
            elif standing:
                ended = standing.pop(what % len(standing))
                VERBS.delete(actor=SYSTEM, ids=[ended.pk])
            for level in levels:
                level.refresh_from_db()
                held = sum(each.quantity for each in standing if each.inventory_item_id == level.inventory_item_id)
                assert level.reserved_quantity == held == _stored(level)
        transaction.set_rollback(True)


def _reserved(levels, wanted, standing):
    """What the verb grants, held to what plain arithmetic would: the requests in turn, or none of them."""
    left = [
        level.stocked_quantity
        - sum(each.quantity for each in standing if each.inventory_item_id == level.inventory_item_id)
        for level in levels
    ]
    granted = True
    for number, quantity in wanted:
        granted = granted and quantity <= left[number]
        left[number] -= quantity
    try:
        states = [_state(levels[number], quantity) for number, quantity in wanted]
        made = [one.row for one in VERBS.put(actor=SYSTEM, states=states)]
    except RowsRefused:
        made = []
    assert bool(made) == granted
    return made


def _state(level, quantity):
    return VERBS.state(inventory_item_id=level.inventory_item_id, location_id=level.location_id, quantity=quantity)


def _stored(level):
    alive = Reservation.objects.not_deleted().filter(inventory_item=level.inventory_item_id, location=level.location_id)
    return alive.aggregate(sum=Sum("quantity"))["sum"] or 0
