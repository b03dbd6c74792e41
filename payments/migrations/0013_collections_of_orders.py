"""Payment collections of what an order still has to pay: they have no cart."""

import django.db.models.deletion
from django.db import migrations, models

from kit.database.large_tables import DropNotNullWhileServing, ReplaceConstraintWhileServing


class Migration(migrations.Migration):

    # The constraint is validated while the shop takes payments.
    atomic = False

    dependencies = [
        ('payments', '0012_no_notification'),
    ]

    operations = [
        DropNotNullWhileServing(
            model_name='paymentcollection',
            name='cart',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='payment_collection', to='carts.cart'),
        ),
        ReplaceConstraintWhileServing(
            model_name='paymentcollection',
            constraint=models.CheckConstraint(condition=models.Q(('cart__isnull', False), ('order_id__isnull', False), _connector='OR'), name='payments_collection_belongs'),
        ),
    ]
