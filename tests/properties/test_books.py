"""Whatever shoppers, providers and the worker do, a shop's books agree, and no money stays without an order.

The books are what `verify_ledger` reads: orders, payments, credit, claims. The provider keeps books of its own.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db.models import F, Q, Sum
from django.test import override_settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from catalog.models import InventoryLevel, ProductVariant, Reservation
from kit.errors import DomainError, Unavailable
from kit.values.money import stored
from orders.changes.computation import computed
from orders.changes.placed_orders import placed_order
from orders.models import CompletionAttempt, Order, OrderLineItem
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from tests.books import disagreements
from tests.factories.payments import PROVIDER as LOCAL
from tests.payments.providers import FAKE, FakeProvider, switched_on
from tests.properties import plain_statuses
from tests.properties.books_shop import PART, Shop
from tests.properties.test_payments import at_once
from tests.savepoints import undone
from tests.walks import walks

__all__ = ["at_once"]

some = st.integers(0, 3)
"""One of the carts, variants or payments that there are by then, whatever their number."""
providers = st.sampled_from([FAKE, FAKE, LOCAL])
answers = st.sampled_from(["agrees", "agrees", "agrees", "declines", "more", "later", "unheard", "silent", "part"])
amounts = st.sampled_from([None, None, 1, 10, 500])
units = st.integers(0, 2)
prices = st.sampled_from([None, None, 0, 25])
"""What staff set, if anything."""
others = st.sampled_from(
    [("requires_more", None), ("authorized", PART), ("pending", None), ("error", None), ("canceled", None)]
)
"""What a provider may say instead of how things stand."""

Step = tuple[Any, ...]
pieces = st.lists(st.tuples(some, st.integers(1, 3)), min_size=1, max_size=2)
"""Variants, and how many of each."""
ways_to_pay = st.sampled_from(["", "", "card", "credit", "card and credit"])
STEPS = st.one_of(
    st.tuples(st.just("check_out"), st.booleans(), pieces, ways_to_pay, st.booleans(), providers),
    st.tuples(st.just("check_out"), st.booleans(), pieces, ways_to_pay, st.booleans(), providers),
    st.tuples(st.just("change_quantity"), some, st.integers(1, 3)),
    st.tuples(st.just("pay"), some, providers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("complete"), some, answers),
    st.tuples(st.just("confirm"), some, st.booleans()),
    st.tuples(st.just("take_by_hand"), some),
    st.tuples(st.just("report"), some),
    st.tuples(st.just("report"), some),
    st.tuples(st.just("report_other"), some, others),
    st.tuples(st.just("capture"), some, amounts),
    st.tuples(st.just("refund"), some, amounts),
    st.tuples(st.just("refund_order"), some, amounts, st.booleans(), st.booleans()),
    st.tuples(st.just("refund_order"), some, amounts, st.booleans(), st.booleans()),
    st.tuples(st.just("pack"), some, st.integers(1, 3)),
    st.tuples(st.sampled_from(["ship", "deliver", "unpack"]), some),
    st.tuples(st.just("bring_back"), some, st.integers(1, 2), units, units),
    st.tuples(st.just("receive_rest"), some),
    st.tuples(st.just("cancel"), some),
    st.tuples(st.just("edit"), some, st.integers(0, 4), prices, units, st.booleans()),
    st.tuples(st.just("edit"), some, st.integers(0, 4), prices, units, st.booleans()),
    st.tuples(st.just("begin_edit"), some, st.integers(0, 4)),
    st.tuples(st.sampled_from(["confirm_edit", "confirm_edit", "cancel_edit"]), some),
    st.tuples(st.sampled_from(["mark_as_paid", "mark_as_paid", "delete_collection", "pay_by_link"]), some),
    st.tuples(st.just("ask"), some, st.sampled_from([1, 10])),
    st.tuples(st.just("pay_by_credit"), some, st.sampled_from([1, 5, -1, -10])),
    st.tuples(st.just("exchange"), some, units, st.integers(1, 2), prices, st.booleans()),
    st.tuples(st.just("exchange"), some, units, st.integers(1, 2), prices, st.booleans()),
    st.tuples(st.just("claim"), some, units, units, units),
    st.tuples(st.just("claim"), some, units, units, units),
    st.tuples(st.just("begin_exchange"), some, units, units),
    st.tuples(st.sampled_from(["request_exchange", "cancel_goods", "cancel_goods", "cancel_return"]), some),
    st.tuples(st.just("draft"), some, st.integers(1, 3), prices, st.booleans(), st.booleans()),
    st.tuples(st.just("edit_draft"), some, units, prices, st.booleans()),
    st.tuples(st.sampled_from(["convert", "convert", "convert", "delete_draft"]), some),
    st.tuples(st.just("redeem")),
    st.tuples(st.just("work")),
    st.tuples(st.just("lose_patience")),
)
BEFORE: list[list[Step]] = [
    [("check_out", True, [(0, 1)], "card and credit", True, FAKE), ("complete", 0, "unheard")],
    [("check_out", False, [(0, 2)], "card", True, FAKE), ("confirm", 0, True), ("take_by_hand", 0), ("report", 0)],
    [
        *(("check_out", True, [(1, 1)], "credit", False, FAKE), ("check_out", False, [(0, 2)], "card", True, FAKE)),
        *(("complete", 0, "agrees"), ("capture", 0, None), ("complete", 1, "silent"), ("confirm", 1, False)),
    ],
    [
        *(("check_out", True, [(0, 2)], "", True, FAKE), ("check_out", False, [(0, 2)], "", True, LOCAL)),
        *(("confirm", 0, True), ("take_by_hand", 0), ("complete", 1, "agrees"), ("report", 0)),
    ],
    [
        *(("check_out", True, [(0, 2)], "", False, FAKE), ("complete", 0, "agrees"), ("capture", 0, 10)),
        *(("pack", 0, 2), ("ship", 0), ("deliver", 0), ("bring_back", 0, 1, 0, 1)),
    ],
    [("check_out", False, [(2, 2)], "", False, FAKE), ("complete", 0, "later"), ("pack", 0, 1)],
    [
        *(("check_out", True, [(0, 2), (2, 1)], "credit", False, FAKE), ("complete", 0, "agrees")),
        *(("capture", 0, None), ("pack", 0, 2), ("pack", 1, 1), ("deliver", 0), ("bring_back", 0, 2, 1, 0)),
    ],
    [
        *(("check_out", False, [(0, 2), (1, 2)], "card", True, FAKE), ("complete", 0, "agrees")),
        *(("pack", 0, 1), ("ship", 0), ("pack", 1, 2), ("refund_order", 0, 1, False, False)),
    ],
    [
        *(("check_out", True, [(0, 1)], "card and credit", False, FAKE), ("complete", 0, "later")),
        ("report_other", 0, ("requires_more", None)),
    ],
    [
        *(("check_out", True, [(0, 1), (1, 1)], "credit", True, FAKE), ("complete", 0, "agrees")),
        *(("capture", 0, None), ("edit", 0, 2, None, 0, False), ("begin_edit", 0, 1)),
    ],
    [
        *(("check_out", False, [(0, 2), (1, 1)], "card", True, FAKE), ("complete", 0, "agrees")),
        *(("capture", 0, 10), ("edit", 0, 3, None, 0, True), ("pay_by_link", 0), ("edit", 0, 1, None, 0, False)),
    ],
    [
        *(("check_out", True, [(0, 1), (1, 1)], "", False, FAKE), ("complete", 0, "agrees"), ("capture", 0, None)),
        *(("pack", 0, 1), ("deliver", 0), ("edit", 0, 2, None, 0, False), ("mark_as_paid", 0), ("begin_edit", 1, 0)),
    ],
    [
        *(("check_out", True, [(0, 2)], "credit", True, FAKE), ("complete", 0, "agrees"), ("capture", 0, None)),
        *(("pack", 0, 2), ("deliver", 0), ("exchange", 1, 1, 1, None, True)),
    ],
    [
        *(("check_out", False, [(0, 2), (1, 1)], "card", True, FAKE), ("complete", 0, "agrees"), ("capture", 0, 10)),
        *(("pack", 0, 2), ("ship", 0), ("claim", 0, 1, 0, 1), ("begin_exchange", 0, 1, 1)),
    ],
    [
        *(("draft", 1, 2, None, True, True), ("draft", 0, 1, 25, False, False), ("convert", 0)),
        *(("mark_as_paid", 0), ("pack", 0, 1), ("deliver", 0), ("claim", 0, 1, 0, 0)),
    ],
]
"""What has happened when a walk begins: open attempts, paid carts, a stock that is not enough for both, parcels, two
lines of which one is sent, a provider that asks the shopper again, edits that raised and lowered a total, an exchange,
claims, and drafts."""


def check(shop: Shop, step: object) -> None:
    """What has to be true at any moment."""
    assert disagreements() == [], step
    for order in Order.objects.all():
        stored = (order.payment_status, order.fulfillment_status)
        assert stored == (plain_statuses.payment_status(order), plain_statuses.fulfillment_status(order)), step
        back = order.refunded_total + order.credit_refunded_total
        assert 0 <= back <= order.paid_total + order.credit_line_total, step
    short = InventoryLevel.objects.filter(Q(reserved_quantity__gt=F("stocked_quantity")) | Q(reserved_quantity__lt=0))
    assert not short.exists(), step
    held = dict(Reservation.objects.not_deleted().values_list("line_item_id").annotate(Sum("quantity")))
    managed = ProductVariant.objects.filter(manage_inventory=True).values("pk")
    for line in OrderLineItem.objects.filter(variant_id__in=managed).select_related("order"):
        is_gone = line.deleted_at or line.order.canceled_at
        assert held.get(line.pk, 0) == (0 if is_gone else line.quantity - line.fulfilled_quantity), step
    for payment in Payment.objects.filter(session__provider_id=FAKE):
        taken, returned = shop.moved(payment.session_id)
        assert payment.captured_amount <= taken, step
        assert payment.refunded_amount <= returned <= taken, step


def come_to_rest(shop: Shop) -> None:
    """Everything is reported and answered: all money is an order's, or has gone back."""
    for _ in range(3):
        shop.work()
        shop.listen()
        for session in PaymentSession.objects.filter(provider_id=FAKE):
            shop.tell(session)
    shop.give_up_carts()
    check(shop, "at rest")
    assert not CompletionAttempt.objects.filter(status="open").exists()
    assert not Intent.objects.filter(done_at=None).exists()
    for session in PaymentSession.objects.filter(provider_id=FAKE):
        taken, returned = shop.moved(session.pk)
        order = Order.objects.filter(pk=session.collection.order_id).first()
        if order is None:
            assert taken == returned, session.pk
        elif not order.changes.exists():
            assert order.paid_total - order.refunded_total <= order.original_order_total
    for order in Order.objects.all():
        costs = computed(placed_order(order.pk), []).totals
        assert costs._asdict() == {name: stored(getattr(order, name)) for name in costs._fields}
        sums = PaymentCollection.objects.filter(order_id=order.pk).aggregate(
            captured=Sum("captured_amount"), refunded=Sum("refunded_amount")
        )
        assert (order.paid_total, order.refunded_total) == (sums["captured"], sums["refunded"])


@pytest.fixture
def fake(db: None, settings: Any) -> Iterator[FakeProvider]:
    settings.PUBLIC_URL = "https://api.shop.example"
    with switched_on(settings) as made:
        yield made


def test_whatever_happens_the_books_of_orders_agree(fake: FakeProvider, at_once: None) -> None:
    @given(st.sampled_from(BEFORE), st.lists(STEPS, min_size=4, max_size=10))
    @hypothesis_settings(max_examples=walks(10))
    def walk(before: list[Step], steps: list[Step]) -> None:
        with undone(), override_settings():  # the settings that the shop changes are as before for the next walk
            fake.begin_again()
            shop = Shop(fake)
            for name, *values in [*before, *steps]:
                with suppress(DomainError, Unavailable):
                    getattr(shop, name)(*values)
                shop.listen()
                check(shop, (name, *values))
            come_to_rest(shop)

    walk()
