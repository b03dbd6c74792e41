"""Stock below 0, reservations that were sold on backorder, and the table of stock movements."""

import kit.values.ids
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0004_search'),
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        migrations.CreateModel(
            name='StockMovement',
            fields=[
                ('id', kit.values.ids.IdField(prefix='smov', serialize=False)),
                ('reason', models.CharField(choices=[('opening', 'Opening'), ('set', 'Set'), ('adjustment', 'Adjustment'), ('import', 'Import'), ('fulfillment', 'Fulfillment'), ('fulfillment_canceled', 'Fulfillment Canceled'), ('return', 'Return')], max_length=24)),
                ('reference_id', models.CharField(blank=True, max_length=64, null=True)),
                ('stocked_before', models.IntegerField()),
                ('stocked_after', models.IntegerField()),
                ('backordered', models.PositiveIntegerField(default=0)),
                ('note', models.TextField(blank=True, default='')),
                ('created_by', models.CharField(blank=True, max_length=64, null=True)),
                ('api_key_id', models.CharField(blank=True, max_length=64, null=True)),
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
            ],
        ),
        migrations.AddField(
            model_name='reservation',
            name='allow_backorder',
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name='inventorylevel',
            name='stocked_quantity',
            field=models.IntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='reservation',
            index=models.Index(condition=models.Q(('deleted_at', None)), fields=['inventory_item', 'location'], name='catalog_reservation_living'),
        ),
        migrations.AddField(
            model_name='stockmovement',
            name='level',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='movements', to='catalog.inventorylevel'),
        ),
        migrations.AddIndex(
            model_name='stockmovement',
            index=models.Index(fields=['level', 'id'], name='catalog_movement_history'),
        ),
        migrations.AddConstraint(
            model_name='stockmovement',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['opening', 'set', 'adjustment', 'import', 'fulfillment', 'fulfillment_canceled', 'return'])), name='catalog_movement_reason'),
        ),
        migrations.AddConstraint(
            model_name='stockmovement',
            constraint=models.CheckConstraint(condition=models.Q(('stocked_after', models.F('stocked_before')), _negated=True), name='catalog_movement_some'),
        ),
        migrations.AddConstraint(
            model_name='stockmovement',
            constraint=models.CheckConstraint(condition=models.Q(('backordered', 0), ('reason', 'fulfillment'), _connector='OR'), name='catalog_movement_backordered'),
        ),
        migrations.AddConstraint(
            model_name='stockmovement',
            constraint=models.CheckConstraint(condition=models.Q(('stocked_after__gte', django.db.models.expressions.CombinedExpression(models.F('backordered'), '*', models.Value(-1))), ('stocked_after__gte', django.db.models.expressions.CombinedExpression(models.F('stocked_before'), '-', models.F('backordered'))), _connector='OR'), name='catalog_movement_below_zero'),
        ),
        migrations.AddConstraint(
            model_name='stockmovement',
            constraint=models.UniqueConstraint(condition=models.Q(('reason__in', ['fulfillment', 'fulfillment_canceled'])), fields=('level', 'reason', 'reference_id'), name='catalog_movement_once'),
        ),
    ]
