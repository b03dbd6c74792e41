"""`recompute_statuses` corrects the stored statuses that verify_ledger finds wrong, and nothing else."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command

from giftcards.verification.verification import discrepancies
from orders.managing import cancellation, status_recomputing
from orders.managing.status_recomputing import Recomputed, recompute
from orders.models import Order
from tests.orders.fulfillments.shop import SYSTEM, ordered, pack

pytestmark = pytest.mark.django_db


def statuses(order: Order) -> tuple[str, str]:
    order.refresh_from_db()
    return order.payment_status, order.fulfillment_status


def spoiled() -> Iterator[Order]:
    """Orders with a wrong payment status, a wrong fulfillment status, and both."""
    for wrong in (
        {"payment_status": "partially_captured"},
        {"fulfillment_status": "delivered"},
        {"payment_status": "captured", "fulfillment_status": "not_fulfilled"},
    ):
        order = ordered()
        pack(order, 2)
        Order.objects.filter(pk=order.pk).update(**wrong)
        yield order


def test_it_corrects_what_verify_ledger_finds() -> None:
    wrong, right = list(spoiled()), ordered()
    right.refresh_from_db()
    untouched, versions = right.updated_at, [order.version for order in wrong]
    assert len(list(discrepancies())) == 4
    said = StringIO()
    call_command("recompute_statuses", stdout=said)
    assert said.getvalue() == "4 orders checked, 3 corrected\n"
    assert {statuses(order) for order in wrong} == {("authorized", "partially_fulfilled")}
    assert list(discrepancies()) == []
    right.refresh_from_db()
    assert right.updated_at == untouched
    assert [order.version for order in wrong] == [version + 1 for version in versions]  # of the packing alone


def test_an_interrupted_run_keeps_its_batches_and_the_next_does_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_recomputing, "BATCH", 1)
    wrong = list(spoiled())
    assert next(recompute()) == Recomputed(1, 1)
    assert len([order for order in wrong if statuses(order) != ("authorized", "partially_fulfilled")]) == 2
    assert list(recompute()) == [Recomputed(1, 0), Recomputed(1, 1), Recomputed(1, 1)]
    assert list(discrepancies()) == []


def test_canceled_orders_and_a_shop_without_orders() -> None:
    assert list(recompute()) == []
    order = ordered()
    cancellation.cancel(actor=SYSTEM, order_id=order.pk)
    Order.objects.filter(pk=order.pk).update(payment_status="not_paid", fulfillment_status="not_fulfilled")
    assert list(recompute()) == [Recomputed(1, 1)]
    assert statuses(order) == ("canceled", "canceled")
