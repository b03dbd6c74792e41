"""What verify_ledger says of reservations that are not what the units still to pack require."""

from collections.abc import Callable

import pytest
from django.db.models import F

from catalog.models import ProductVariant, Reservation, VariantInventoryItem
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from orders.changes.editing import edit
from orders.changes.items import LineChange
from orders.fulfillments import cancellation as unpacking
from orders.managing.cancellation import cancel
from orders.models import Fulfillment, Order, OrderLineItem
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import kit_of, ordered, pack

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def order(transactional_db: None) -> Order:
    """Of five kits, two pieces of one item and one of another each; one kit is packed."""
    made = ordered((kit_of((2, 20), (1, 20), location=StockLocationFactory()), 5))
    pack(made, 1)
    return made


def named() -> list[str]:
    return [said for said in discrepancies() if "to pack" in said]


def items() -> list[str]:
    """The item of which a kit has two pieces, and the other."""
    return list(VariantInventoryItem.objects.order_by("-required_quantity").values_list("inventory_item_id", flat=True))


def said(index: int, held: int, units: int, expected: int) -> str:
    line, item = OrderLineItem.objects.get().pk, items()[index]
    return f"Line {line} of order 1 has {held} of item {item} reserved for {units} units to pack, instead of {expected}"


def first() -> Reservation:
    """What is reserved of the item of which a kit has two pieces."""
    return Reservation.objects.not_deleted().get(inventory_item=items()[0])


def more() -> None:
    Reservation.objects.filter(pk=first().pk).update(quantity=F("quantity") + 1)


def end() -> None:
    Reservation.objects.filter(pk=first().pk).update(deleted_at=now())


def change_the_variant() -> None:
    """As staff do, who let a kit have three pieces from now on."""
    VariantInventoryItem.objects.filter(required_quantity=2).update(required_quantity=3)
    ProductVariant.objects.update(updated_at=now())


def change_the_variant_and(deed: Callable[[], None]) -> None:
    change_the_variant()
    deed()


def test_the_order_s_reservations_agree(order: Order) -> None:
    assert list(Reservation.objects.not_deleted().order_by("-quantity").values_list("quantity", flat=True)) == [8, 4]
    assert list(discrepancies()) == []
    cancel(actor=SYSTEM, order_id=ordered((ProductVariant.objects.get(), 2)).pk)
    assert named() == []


def test_units_to_pack_may_differ_once_the_variant_has_changed(order: Order) -> None:
    """A unit of two pieces is unpacked after one of three was added."""
    parcel = Fulfillment.objects.get()
    pack(order, 4)
    change_the_variant()
    edit(actor=SYSTEM, order_id=order.pk, changed_items=[LineChange(OrderLineItem.objects.get().pk, 6, None, {})])
    unpacking.cancel(actor=SYSTEM, fulfillment_id=parcel.pk)
    held = Reservation.objects.not_deleted().filter(inventory_item=items()[0])
    assert sorted(held.values_list("quantity", flat=True)) == [2, 3]
    assert named() == []


@pytest.mark.parametrize(
    ("deed", "wrong"),
    [
        (more, [(0, 9, 4, 8)]),
        (end, [(0, 0, 4, 8)]),
        (lambda: Order.objects.update(canceled_at=now()), [(0, 8, 0, 0), (1, 4, 0, 0)]),
        (lambda: OrderLineItem.objects.update(deleted_at=now()), [(0, 8, 0, 0), (1, 4, 0, 0)]),
        (lambda: VariantInventoryItem.objects.filter(required_quantity=1).update(deleted_at=now()), [(1, 4, 4, 0)]),
        (lambda: ProductVariant.objects.update(manage_inventory=False), [(0, 8, 4, 0), (1, 4, 4, 0)]),
        (change_the_variant, []),
        (lambda: change_the_variant_and(more), []),
        (lambda: change_the_variant_and(end), []),
    ],
)
def test_what_is_done_by_hand(order: Order, deed: Callable[[], object], wrong: list[tuple[int, int, int, int]]) -> None:
    deed()
    assert sorted(named()) == sorted(said(*each) for each in wrong)
