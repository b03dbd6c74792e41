"""How carts that have expired are found."""

from django.db import migrations
from django.db.models import Index, Q

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [("carts", "0011_empty_since")]

    operations = [
        AddIndexWhileServing(
            model_name="cart",
            index=Index(
                fields=["created_at"],
                condition=Q(completed_at=None, customer__isnull=True),
                name="carts_cart_of_guests",
            ),
        ),
        AddIndexWhileServing(
            model_name="cart",
            index=Index(
                fields=["created_at"],
                condition=Q(completed_at=None, customer__isnull=False),
                name="carts_cart_of_customers",
            ),
        ),
        AddIndexWhileServing(
            model_name="cart",
            index=Index(
                fields=["empty_since"],
                condition=Q(completed_at=None, empty_since__isnull=False),
                name="carts_cart_empty",
            ),
        ),
    ]
