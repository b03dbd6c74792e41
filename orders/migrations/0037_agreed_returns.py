"""What returns of exchanges count at once is part of the pending difference; lines count no more of it than requested."""

from django.db import migrations, models

import kit.values.money
from kit.database.large_tables import (
    AddColumnInPlace,
    AddIndexWhileServing,
    RemoveIndexWhileServing,
    ReplaceConstraintWhileServing,
)


class Migration(migrations.Migration):
    atomic = False  # orders are placed meanwhile

    dependencies = [("orders", "0036_exchanges")]

    operations = [
        AddColumnInPlace(
            model_name="order",
            name="agreed_return_total",
            field=kit.values.money.MoneyField(db_default=0, default=0, editable=False),
        ),
        AddColumnInPlace(
            model_name="orderlineitem",
            name="return_agreed_quantity",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        ReplaceConstraintWhileServing(
            model_name="orderlineitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("return_agreed_quantity__gte", 0),
                    ("return_agreed_quantity__lte", models.F("return_requested_quantity")),
                    ("written_off_quantity__lte", models.F("return_dismissed_quantity")),
                ),
                name="orders_line_agreed",
            ),
        ),
        AddIndexWhileServing(
            model_name="order",
            index=models.Index(
                models.F("item_total")
                + models.F("shipping_total")
                - models.F("return_shipping_due")
                - models.F("agreed_return_total")
                - (
                    models.F("paid_total")
                    + models.F("credit_line_total")
                    - models.F("refunded_total")
                    - models.F("credit_refunded_total")
                )
                - models.F("allowance_total"),
                name="orders_order_pending",
            ),
        ),
        RemoveIndexWhileServing(model_name="order", name="orders_order_difference"),
    ]
