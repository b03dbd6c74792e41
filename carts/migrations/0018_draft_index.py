"""How drafts are found."""

from django.db import migrations
from django.db.models import Index, Q

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [("carts", "0017_drafts")]

    operations = [
        AddIndexWhileServing(
            model_name="cart",
            index=Index(fields=["draft_number"], condition=Q(is_draft=True), name="carts_cart_drafts"),
        ),
    ]
