"""References of rows that staff maintain, while another member of staff moves or deletes what they refer to."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from fulfillment.editing import geo_zone_editing, option_rule_editing, shipping_editing
from fulfillment.models import GeoZone, ServiceZone, ShippingOption, ShippingOptionRule
from kit.domain.actor import SYSTEM
from kit.domain.base_model import BaseModel
from kit.editing.rows import RowEdits
from kit.editing.states import RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import DomainError
from orders.models import ReturnReason
from orders.returns.return_reasons import editing as return_reasons
from orders.returns.return_reasons.tree import is_own_ancestor
from tests.concurrency.crowd import at_once
from tests.factories.fulfillment import option, zone
from tests.factories.orders import return_reason

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_moves_of_return_reasons_make_no_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    middle = threading.Barrier(2)

    def compare_together(*given: Any) -> bool:
        """Before either writes, where nothing keeps one of them waiting."""
        found = is_own_ancestor(*given)
        with suppress(threading.BrokenBarrierError):
            middle.wait(timeout=1)
        return found

    size, colour, small, dark = (return_reason(name).pk for name in ("size", "colour", "small", "dark"))
    for child, parent in ((small, size), (dark, colour)):
        return_reasons.VERBS.put(
            actor=SYSTEM, states=[return_reasons.VERBS.state(id=child, parent_return_reason_id=parent)]
        )
    monkeypatch.setattr(return_reasons, "is_own_ancestor", compare_together)

    def moved(number: int) -> bool:
        """The first below the leaf of the second, and the second below the leaf of the first."""
        child, parent = [(size, dark), (colour, small)][number]
        try:
            return_reasons.VERBS.put(
                actor=SYSTEM, states=[return_reasons.VERBS.state(id=child, parent_return_reason_id=parent)]
            )
        except RowsRefused:
            return False
        return True

    assert sorted(at_once(moved, threads=2)) == [False, True]
    parents = dict(ReturnReason.objects.values_list("pk", "parent_return_reason_id"))
    assert [key for key in parents if is_own_ancestor(key, parents)] == []


def zone_of_a_set() -> tuple[RowVerbs, str, RowVerbs, RowState]:
    parent = zone().fulfillment_set_id
    state = shipping_editing.ZONES.state(name="North", fulfillment_set_id=parent)
    return shipping_editing.SETS, parent, shipping_editing.ZONES, state


def option_of_a_zone() -> tuple[RowVerbs, str, RowVerbs, RowState]:
    parent, other = zone().pk, option()
    state = shipping_editing.OPTIONS.state(id=other.pk, service_zone_id=parent)
    return shipping_editing.ZONES, parent, shipping_editing.OPTIONS, state


def place_of_a_zone() -> tuple[RowVerbs, str, RowVerbs, RowState]:
    parent = zone().pk
    state = geo_zone_editing.VERBS.state(type="country", country_id="de", service_zone_id=parent)
    return shipping_editing.ZONES, parent, geo_zone_editing.VERBS, state


def rule_of_an_option() -> tuple[RowVerbs, str, RowVerbs, RowState]:
    parent = option().pk
    values = {"attribute": "is_return", "operator": "eq", "value": "true"}
    state = option_rule_editing.VERBS.state(shipping_option_id=parent, **values)
    return shipping_editing.OPTIONS, parent, option_rule_editing.VERBS, state


def reason_below_another() -> tuple[RowVerbs, str, RowVerbs, RowState]:
    parent = return_reason("size").pk
    state = return_reasons.VERBS.state(value="small", label="Small", parent_return_reason_id=parent)
    return return_reasons.VERBS, parent, return_reasons.VERBS, state


CASES: dict[Callable[[], tuple[RowVerbs, str, RowVerbs, RowState]], tuple[type[BaseModel], str]] = {
    zone_of_a_set: (ServiceZone, "fulfillment_set"),
    option_of_a_zone: (ShippingOption, "service_zone"),
    place_of_a_zone: (GeoZone, "service_zone"),
    rule_of_an_option: (ShippingOptionRule, "shipping_option"),
    reason_below_another: (ReturnReason, "parent_return_reason"),
}


@pytest.mark.parametrize("case", CASES)
def test_no_part_outlives_what_it_belongs_to(
    case: Callable[[], tuple[RowVerbs, str, RowVerbs, RowState]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parents, parent_id, parts, state = case()
    checked, deleted, check = threading.Event(), threading.Event(), RowEdits._check_references

    def check_and_wait(edits: RowEdits[Any]) -> None:
        """Leave time for the deletion, between the check and the writing."""
        check(edits)
        checked.set()
        deleted.wait(timeout=1)

    monkeypatch.setattr(RowEdits, "_check_references", check_and_wait)

    def work(number: int) -> None:
        with suppress(DomainError):  # a reason with others below it cannot be deleted
            if number == 0:
                parts.put(actor=SYSTEM, states=[state])
            else:
                assert checked.wait(timeout=60)
                parents.delete(actor=SYSTEM, ids=[parent_id])
                deleted.set()

    at_once(work, threads=2)
    model, parent = CASES[case]
    rows = model._default_manager
    assert rows.filter(**{f"{parent}_id": parent_id}).exists()
    assert (
        rows.filter(**{f"{parent}_id": parent_id, f"{parent}__deleted_at__isnull": False}, deleted_at=None).count() == 0
    )
