"""Returns that staff prepare: begun, filled, and then requested."""

from typing import Any

import pytest

from kit.errors import DomainError, Forbidden, InvalidData
from orders.fulfillments.errors import DuplicateItem, OrderCanceled, UnknownLocation
from orders.models import Order, Return
from orders.returns import arrivals, cancellation, creation, preparation
from orders.returns.errors import (
    NothingToReturn,
    NotOpen,
    NotReceivable,
    NotRequested,
    ReturnItemNotFound,
    ReturnNotFound,
    TooManyToReturn,
)
from tests.factories.actors import staff_actor
from tests.factories.carts import shopper, sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.factories.orders import return_reason
from tests.orders.fulfillments.shop import events
from tests.orders.returns.shop import STAFF, books, delivered, request, wanted

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> Order:
    """Two lines, of three and two units."""
    return delivered((sold_variant(10, in_stock=9), 3), (sold_variant(20), 2))


@pytest.fixture
def begun(made: Order) -> dict[str, Any]:
    """Who prepares which return."""
    return {"actor": STAFF, "return_id": creation.begin(actor=STAFF, order_id=made.pk)}


def test_items_are_counted_once_the_return_is_requested(made: Order, begun: dict[str, Any]) -> None:
    preparation.add_items(**begun, items=wanted(made, 1))
    preparation.add_items(**begun, items=wanted(made, 0, 2))
    first, second = made.returns.get().items.order_by("pk")
    reason = return_reason()
    preparation.change_item(**begun, item_id=first.pk, quantity=3, reason_id=reason.pk, note="Worn", metadata={"a": 1})
    preparation.remove_item(**begun, item_id=second.pk)
    assert books(made) == ([(0, 0, 0), (0, 0, 0)], [6], [])
    names = [name for name, _ in events(made)]
    preparation.confirm(**begun, no_notification=True)
    returned = made.returns.get()
    assert (returned.status, returned.no_notification, returned.requested_at is None) == ("requested", True, False)
    [item] = returned.items.all()
    assert (item.quantity, item.reason_id, item.note, item.metadata) == (3, reason.pk, "Worn", {"a": 1})
    assert books(made).counters == [(3, 0, 0), (0, 0, 0)]
    assert [name for name, _ in events(made)] == [*names, "order.return_requested"]


def test_units_that_were_requested_meanwhile(made: Order, begun: dict[str, Any]) -> None:
    preparation.add_items(**begun, items=wanted(made, 2))
    request(made, 2)
    with pytest.raises(TooManyToReturn):
        preparation.confirm(**begun)
    assert made.returns.get(pk=begun["return_id"]).status == "open"


def test_refusals(made: Order, begun: dict[str, Any]) -> None:
    preparation.add_items(**begun, items=wanted(made, 2))
    [item] = made.returns.get().items.all()
    refusals: list[tuple[type[DomainError], Any, dict[str, Any]]] = [
        (DuplicateItem, preparation.add_items, {"items": wanted(made, 1)}),
        (TooManyToReturn, preparation.add_items, {"items": wanted(made, 0, 3)}),
        (TooManyToReturn, preparation.change_item, {"item_id": item.pk, "quantity": 4}),
        (InvalidData, preparation.change_item, {"item_id": item.pk, "note": "\0"}),
        (ReturnItemNotFound, preparation.change_item, {"item_id": "retitem_none", "quantity": 1}),
        (ReturnItemNotFound, preparation.remove_item, {"item_id": "\0"}),
        (UnknownLocation, preparation.update, {"location_id": "sloc_none"}),
        (NotReceivable, arrivals.begin, {}),
        (NotRequested, cancellation.cancel, {}),
    ]
    for error, verb, given in refusals:
        with pytest.raises(error):
            verb(**begun, **given)
        with pytest.raises(Forbidden):
            verb(**{**begun, "actor": staff_actor("orders.add_return")}, **given)
    preparation.remove_item(**begun, item_id=item.pk)
    with pytest.raises(NothingToReturn):
        preparation.confirm(**begun)
    with pytest.raises(Forbidden):
        creation.begin(actor=shopper(), order_id=made.pk)


def test_a_requested_return_keeps_its_items(made: Order) -> None:
    returned = request(made, 1)
    given = {"actor": STAFF, "return_id": returned.pk}
    for verb, more in (
        (preparation.add_items, {"items": wanted(made, 0, 1)}),
        (preparation.confirm, {}),
        (preparation.discard, {}),
    ):
        with pytest.raises(NotOpen, match="The return is requested"):
            verb(**given, **more)


def test_a_discarded_return_is_gone(made: Order, begun: dict[str, Any]) -> None:
    preparation.add_items(**begun, items=wanted(made, 2))
    preparation.discard(**begun)
    with pytest.raises(ReturnNotFound):
        preparation.confirm(**begun)
    assert not Return.objects.not_deleted().exists()
    assert request(made, 3).display_id == 2


def test_changes(made: Order, begun: dict[str, Any]) -> None:
    place = StockLocationFactory()
    preparation.update(**begun, location_id=place.pk, metadata={"a": 1})
    preparation.update(**begun, no_notification=True, metadata={"b": 2})
    returned = made.returns.get()
    assert (returned.location_id, returned.no_notification, returned.metadata) == (place.pk, True, {"a": 1, "b": 2})


def test_a_canceled_order(made: Order, begun: dict[str, Any]) -> None:
    preparation.add_items(**begun, items=wanted(made, 2))
    Order.objects.filter(pk=made.pk).update(status="canceled")
    with pytest.raises(OrderCanceled):
        preparation.confirm(**begun)
    with pytest.raises(OrderCanceled):
        creation.begin(actor=STAFF, order_id=made.pk)
