"""The shipping of returns, and what of an order waits until its returns count."""

import kit.values.money
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('customers', '0001_initial'),
        ('orders', '0009_earlier_refunds'),
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        migrations.AddField(
            model_name='order',
            name='requested_return_total',
            field=kit.values.money.MoneyField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='order',
            name='return_shipping_due',
            field=kit.values.money.MoneyField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='ordershippingmethod',
            name='of_return',
            field=models.ForeignKey(db_column='return_id', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='shipping_methods', to='orders.return'),
        ),
        migrations.AlterField(
            model_name='ordershippingmethod',
            name='order',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='shipping_methods', to='orders.order'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('requested_return_total__gte', 0), ('return_shipping_due__gte', 0)), name='orders_order_returns'),
        ),
        migrations.AddConstraint(
            model_name='ordershippingmethod',
            constraint=models.CheckConstraint(condition=models.Q(('order__isnull', False), ('of_return__isnull', False), _connector='OR'), name='orders_shippingmethod_belongs'),
        ),
        migrations.AddConstraint(
            model_name='ordershippingmethod',
            constraint=models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('of_return',), name='orders_shippingmethod_of_return'),
        ),
    ]
