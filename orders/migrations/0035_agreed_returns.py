"""What returns of exchanges count at once is part of the pending difference; lines count no more of it than requested."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing, RemoveIndexWhileServing, ReplaceConstraintWhileServing


class Migration(migrations.Migration):
    atomic = False  # orders are placed meanwhile

    dependencies = [("orders", "0034_exchanges")]

    operations = [
        ReplaceConstraintWhileServing(
            model_name="orderlineitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
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
