"""What requested returns will deduct is added up, some orders at a time, while the shop goes on."""

from django.db import migrations, transaction
from django.db.models import Sum

BATCH = 500


def add_up_requested_returns(apps, schema_editor):
    """Requested units are the difference between a line's total and its refundable total.

    A batch locks its orders first, as whatever changes their lines does.
    """
    alias = schema_editor.connection.alias
    lines = apps.get_model("orders", "OrderLineItem").objects.using(alias)
    orders = apps.get_model("orders", "Order").objects.using(alias)
    requested = lines.filter(deleted_at=None, return_requested_quantity__gt=0)
    behind = ""
    while order_ids := _next(requested.filter(order_id__gt=behind)):
        with transaction.atomic(alias):
            list(orders.filter(pk__in=order_ids).order_by("pk").select_for_update(no_key=True).values_list("pk"))
            sums = requested.filter(order__in=order_ids).order_by().values_list("order_id")
            for order_id, total, kept in sums.annotate(Sum("total"), Sum("refundable_total")):
                orders.filter(pk=order_id).update(requested_return_total=total - kept)
        behind = order_ids[-1]


def _next(lines):
    return list(lines.order_by("order_id").values_list("order_id", flat=True).distinct()[:BATCH])


class Migration(migrations.Migration):

    # A transaction for each batch.
    atomic = False

    dependencies = [
        ('orders', '0013_erasure'),
    ]

    operations = [
        migrations.RunPython(add_up_requested_returns, migrations.RunPython.noop, elidable=True),
    ]
