"""Indexes of the few collections that staff look for."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    # Built while the shop takes payments.
    atomic = False

    dependencies = [
        ('payments', '0009_other_currency'),
    ]

    operations = [
        AddIndexWhileServing(
            model_name='paymentcollection',
            index=models.Index(condition=models.Q(('captured_amount__gt', models.F('amount') + models.F('refunded_amount')), ('has_other_currency', True), _connector='OR'), fields=['id'], name='payments_collection_mismatched'),
        ),
        AddIndexWhileServing(
            model_name='paymentcollection',
            index=models.Index(condition=models.Q(('status', 'authorized')), fields=['id'], name='payments_collection_to_capture'),
        ),
    ]
