"""Drafts: carts that staff keep, with prices of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('carts', '0016_savings'),
        ('customers', '0006_filled_search'),
        ('shop', '0007_location_providers'),
    ]

    operations = [
        migrations.CreateModel(
            name='DraftNumber',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('last', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.AlterModelOptions(
            name='cart',
            options={'permissions': [('manage_draft', 'Can manage draft orders')]},
        ),
        migrations.AddField(
            model_name='cart',
            name='created_by',
            field=models.CharField(blank=True, editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='cart',
            name='draft_number',
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='cart',
            name='is_draft',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='cart',
            name='no_notification',
            field=models.BooleanField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='lineitem',
            name='is_custom_price',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='shippingmethod',
            name='is_custom_amount',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name='draftnumber',
            constraint=models.CheckConstraint(condition=models.Q(('id', 1)), name='carts_draftnumber_one_row'),
        ),
    ]
