"""`verify_ledger` is silent about what the verbs write, and names counters that are changed by hand."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from catalog.models import Reservation
from giftcards.verification.verification import discrepancies
from orders.fulfillments import cancellation, delivery, shipping
from orders.models import Fulfillment, Order, OrderLineItem, OrderTransaction
from tests.factories.carts import sold_variant
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import STAFF, kit_of, lines, ordered, pack
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def order(transactional_db: None) -> Order:
    """Of five kits: two delivered, one shipped, one packed and one unpacked again."""
    made = ordered((kit_of((2, 20), (1, 20), location=StockLocationFactory()), 5))
    for units in (2, 1):
        shipping.ship(actor=STAFF, fulfillment_id=pack(made, units).pk)
    delivery.deliver(actor=STAFF, fulfillment_id=Fulfillment.objects.order_by("pk")[0].pk)
    pack(made, 1)
    cancellation.cancel(actor=STAFF, fulfillment_id=pack(made, 1).pk)
    return made


def test_what_the_verbs_write_agrees(order: Order) -> None:
    [line] = lines(order)
    assert (line.fulfilled_quantity, line.shipped_quantity, line.delivered_quantity) == (4, 3, 2)
    assert list(discrepancies()) == []


def a_counter(counter: str, units: int, word: str, held: int) -> Callable[[Order], str]:
    def deed(order: Order) -> str:
        [line] = lines(order)
        OrderLineItem.objects.filter(pk=line.pk).update(**{counter: units})
        return f"Line {line.pk} of order 1 counts {units} units {word}, but its fulfillments hold {held}"

    deed.__name__ = counter
    return deed


def a_counter_and_so_what_is_to_pack(order: Order) -> str:
    named, [line] = a_counter("fulfilled_quantity", 5, "fulfilled", 4)(order), lines(order)
    held = Reservation.objects.not_deleted().order_by("inventory_item").values_list("inventory_item_id", "quantity")
    wrong = [
        f"Line {line.pk} of order 1 has {pieces} of item {item} reserved for 0 units to pack, instead of 0"
        for item, pieces in held
    ]
    assert len(wrong) == 2
    return "\n".join([*wrong, named])


def a_counter_and_so_the_status(order: Order) -> str:
    named = a_counter("delivered_quantity", 0, "delivered", 2)(order)
    status = "Order 1 has the fulfillment status partially_delivered, but its lines make it partially_shipped"
    return f"{named}\n{status}"


def a_status(order: Order) -> str:
    Order.objects.filter(pk=order.pk).update(fulfillment_status="delivered")
    return "Order 1 has the fulfillment status delivered, but its lines make it partially_delivered"


def a_count(order: Order) -> str:
    Order.objects.filter(pk=order.pk).update(fulfillment_count=3)
    return "Order 1 counts 3 fulfillments, but has 4"


BY_HAND = [
    a_counter_and_so_what_is_to_pack,
    a_counter("shipped_quantity", 4, "shipped", 3),
    a_counter_and_so_the_status,
    a_status,
    a_count,
]


@pytest.mark.parametrize("deed", BY_HAND, ids=lambda deed: deed.__name__)
def test_what_is_done_by_hand_is_named(order: Order, deed: Callable[[Order], str]) -> None:
    named = deed(order)
    assert list(discrepancies()) == named.splitlines()


@pytest.mark.parametrize(
    "counters",
    [
        {"fulfilled_quantity": 6},
        {"shipped_quantity": 5},
        {"delivered_quantity": 5},
        {"return_requested_quantity": 3, "return_received_quantity": 2},
    ],
)
def test_the_database_refuses_counters_that_cannot_be(order: Order, counters: dict[str, int]) -> None:
    """Of five units, four are fulfilled."""
    [line] = lines(order)
    with pytest.raises(IntegrityError), transaction.atomic():
        OrderLineItem.objects.filter(pk=line.pk).update(**counters)


def test_the_database_refuses_a_second_transaction_of_one_payment() -> None:
    made = paid((sold_variant(10), 1))
    [row] = OrderTransaction.objects.filter(order=made)
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)
