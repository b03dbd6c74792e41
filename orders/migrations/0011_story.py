"""Who delivered and canceled fulfillments and received returns; indexes of what staff have to do about orders."""

import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('customers', '0001_initial'),
        ('orders', '0010_return_shipping'),
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        migrations.AddField(
            model_name='fulfillment',
            name='canceled_by',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='fulfillment',
            name='delivered_by',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='return',
            name='canceled_by',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='return',
            name='received_by',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddIndex(
            model_name='fulfillment',
            index=models.Index(condition=models.Q(('canceled_at', None), ('delivered_at', None), ('requires_shipping', True), ('shipped_at', None)), fields=['order'], name='orders_fulfillment_to_ship'),
        ),
        migrations.AddIndex(
            model_name='fulfillment',
            index=models.Index(condition=models.Q(('cancel_reason__isnull', False)), fields=['order'], name='orders_fulfillment_refused'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('fulfillment_status__in', ['not_fulfilled', 'partially_fulfilled', 'partially_shipped', 'partially_delivered']), ('status', 'pending')), fields=['created_at'], name='orders_order_to_pack'),
        ),
        migrations.AddIndex(
            model_name='order',
            index=models.Index(condition=models.Q(('canceled_at', None), ('payment_status__in', ['authorized', 'partially_authorized', 'partially_captured'])), fields=['created_at'], name='orders_order_to_capture'),
        ),
        migrations.AddIndex(
            model_name='return',
            index=models.Index(condition=models.Q(('status__in', ['requested', 'partially_received'])), fields=['order'], name='orders_return_to_receive'),
        ),
    ]
