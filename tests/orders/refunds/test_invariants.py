"""`verify_ledger` is silent about refunds of orders, and names each thing that the verbs would never write."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from giftcards.models import Transaction
from giftcards.verification.verification import discrepancies
from orders.models import RefundPart
from tests.giftcards.books import unguarded
from tests.orders.refunds.shop import account_of, paid_order, refund

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]


class Refunded:
    """An order of 35, paid by a card of 7 and a payment, of which 30 were refunded; and another order."""

    def __init__(self) -> None:
        self.order, self.other = paid_order(card=7), paid_order()
        self.refund = refund(self.order, 30)
        self.payment_part, self.card_part = self.refund.parts.order_by("rank")


def change(row: Any, **values: Any) -> None:
    """By hand, past the verbs."""
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def the_amount_is_changed(made: Refunded) -> list[str]:
    change(made.refund, amount=31)
    return [f"Refund {made.refund.pk} of order 1 is 31, but its parts add up to 30"]


def the_allowance_is_changed(made: Refunded) -> list[str]:
    change(made.order, allowance_total=29)
    return ["Order 1 has allowances of 29, but its refunds have 30"]


def the_credit_is_changed(made: Refunded) -> list[str]:
    change(made.order, credit_refunded_total=3)
    return ["Order 1 has 3 refunded as credit, but its refunds have 2"]


def a_refund_is_anothers(made: Refunded) -> list[str]:
    change(made.refund, order=made.other)
    entry = Transaction.objects.get(type="credit", reference="order")
    return [
        "Order 1 has allowances of 30, but its refunds have 0",
        "Order 2 has allowances of 0, but its refunds have 30",
        "Order 1 has 2 refunded as credit, but its refunds have 0",
        "Order 2 has 0 refunded as credit, but its refunds have 2",
        f"Part {made.payment_part.pk} of a refund of order 2 is 28, but its payment or intent is of another refund",
        f"Entry {entry.pk} of 2 refunds an order, but belongs to no refund",
    ]


def a_request_is_for_another_amount(made: Refunded) -> list[str]:
    change(made.payment_part.intent, amount=27)
    return [f"Part {made.payment_part.pk} of a refund of order 1 is 28, but its payment or intent is of another refund"]


def a_credit_is_booked_elsewhere(made: Refunded) -> list[str]:
    with unguarded():
        Transaction.objects.filter(type="credit", reference="order").update(reference_id=made.other.pk)
    account, entry = account_of(made.order), Transaction.objects.get(type="credit", reference="order")
    return [
        f"order {made.other.pk} took 0 from account {account.pk} and got 2 back",
        f"Entry {entry.pk} of 2 refunds an order, but belongs to no refund",
    ]


def a_credit_part_is_gone(made: Refunded) -> list[str]:
    RefundPart.objects.filter(pk=made.card_part.pk).delete()
    entry = Transaction.objects.get(type="credit", reference="order")
    return [
        f"Refund {made.refund.pk} of order 1 is 30, but its parts add up to 28",
        "Order 1 has 2 refunded as credit, but its refunds have 0",
        f"Entry {entry.pk} of 2 refunds an order, but belongs to no refund",
    ]


def a_credit_part_was_never_credited(made: Refunded) -> list[str]:
    change(made.card_part, amount=3)
    change(made.refund, amount=31)
    change(made.order, credit_refunded_total=3)
    account = account_of(made.order)
    return [f"Part {made.card_part.pk} of a refund of order 1 is 3, but account {account.pk} was not credited with it"]


DEEDS: list[Callable[[Refunded], list[str]]] = [
    *(the_amount_is_changed, the_allowance_is_changed, the_credit_is_changed, a_refund_is_anothers),
    *(a_request_is_for_another_amount, a_credit_is_booked_elsewhere, a_credit_part_is_gone),
    a_credit_part_was_never_credited,
]


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_what_is_done_by_hand_is_named(deed: Callable[[Refunded], list[str]]) -> None:
    made = Refunded()
    assert list(discrepancies()) == []
    expected = deed(made)
    # Rows of one invariant come in any order.
    assert sorted(sentence.replace(".0000", "") for sentence in discrepancies()) == sorted(expected)


@pytest.mark.parametrize(
    "deed",
    [
        lambda made: change(made.order, credit_refunded_total=36),
        lambda made: change(made.order, credit_refunded_total=-1),
        lambda made: change(made.refund, allowance=31),
        lambda made: change(made.card_part, payment=made.payment_part.payment),
        lambda made: change(made.card_part, account=None),
        lambda made: change(made.card_part, rank=1),
        lambda made: RefundPart.objects.create(
            refund=made.refund, rank=3, amount=1, payment=made.payment_part.payment, intent=made.payment_part.intent
        ),
    ],
)
def test_what_the_database_refuses(deed: Callable[[Refunded], object]) -> None:
    made = Refunded()
    with pytest.raises(IntegrityError), transaction.atomic():
        deed(made)
