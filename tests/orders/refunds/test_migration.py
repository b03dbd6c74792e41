"""Migrating a shop whose payments were refunded before orders had refunds."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from giftcards.verification.verification import discrepancies
from orders.common.summary import pending_difference_of
from orders.models import GrantedRefund, Order, RefundPart
from payments.movements import refunding
from tests.factories.actors import staff_actor
from tests.orders.refunds.shop import paid_order, payment_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake")]

earlier_refunds = import_module("orders.migrations.0009_earlier_refunds")


def test_0009_records_refunds_of_payments_as_refunds_of_their_orders() -> None:
    order = paid_order(card=7)
    for amount in (5, 3):
        refunding.refund(actor=staff_actor("payments.add_refund"), payment_id=payment_of(order).pk, amount=amount)
    rows = GrantedRefund.objects.order_by("amount").values_list(
        "order_id", "amount", "allowance", "parts__payment_id", "parts__intent_id", "created_by"
    )
    before = list(rows)
    assert [row[1:3] for row in before] == [(3, 3), (5, 5)]
    RefundPart.objects.all().delete()
    GrantedRefund.objects.all().delete()
    earlier_refunds.forget_allowances(apps, connection.schema_editor())
    earlier_refunds.record_earlier_refunds(apps, connection.schema_editor())
    assert list(rows) == before
    order = Order.objects.get()
    assert (order.allowance_total, pending_difference_of(order)) == (8, 0)
    assert list(discrepancies()) == []
