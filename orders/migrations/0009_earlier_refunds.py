"""Refunds of payments that were made before orders had refunds of their own."""

from decimal import Decimal

from django.db import migrations

from kit.values.ids import new_id


def record_earlier_refunds(apps, schema_editor):
    """Each refund of a payment of an order becomes a refund of the order.

    Nothing was returned or canceled before. So a refund was an allowance unless it returned money beyond the total.
    """
    alias = schema_editor.connection.alias
    refunds = apps.get_model("payments", "Refund").objects.using(alias)
    orders = apps.get_model("orders", "Order").objects.using(alias)
    of_order = refunds.filter(payment__collection__order_id__isnull=False).select_related("payment__collection")
    for refund in of_order.order_by("-pk").iterator():
        order = orders.get(pk=refund.payment.collection.order_id)
        if refund.payment.collection.currency_id != order.currency_id:
            continue
        total = order.item_total + order.shipping_total - order.credit_line_total
        beyond = total - (order.paid_total - order.refunded_total) - order.allowance_total
        allowance = min(max(beyond, Decimal(0)), refund.amount)
        _record(apps, alias, order, refund, allowance)
        orders.filter(pk=order.pk).update(allowance_total=order.allowance_total + allowance)


def forget_allowances(apps, schema_editor):
    """Orders had none before."""
    apps.get_model("orders", "Order").objects.using(schema_editor.connection.alias).update(allowance_total=0)


def _record(apps, alias, order, refund, allowance):
    granted = apps.get_model("orders", "GrantedRefund").objects.using(alias).create(
        id=new_id("ordref"),
        order_id=order.pk,
        amount=refund.amount,
        allowance=allowance,
        refund_reason_id=refund.refund_reason_id,
        note=refund.note,
        created_by=refund.created_by,
    )
    apps.get_model("orders", "RefundPart").objects.using(alias).create(
        id=new_id("ordrefp"),
        refund_id=granted.pk,
        rank=1,
        amount=refund.amount,
        payment_id=refund.payment_id,
        intent_id=refund.intent_id,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0008_refunds'),
    ]

    operations = [
        migrations.RunPython(record_earlier_refunds, forget_allowances, elidable=True),
    ]
