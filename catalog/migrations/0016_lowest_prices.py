"""The lowest prices of products; 0017 computes them."""

from django.db import migrations, models

import kit.values.ids
import kit.values.money


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0015_list_existing_products'),
    ]

    operations = [
        migrations.CreateModel(
            name='LowestPrice',
            fields=[
                ('pk', models.CompositePrimaryKey('product_id', 'currency_code', 'price_list_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('product_id', kit.values.ids.UnconstrainedIdField()),
                ('currency_code', models.CharField(max_length=3)),
                ('price_list_id', kit.values.ids.UnconstrainedIdField()),
                ('amount', kit.values.money.MoneyField()),
                ('is_ruled', models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name='StalePrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('key', models.CharField(max_length=64)),
            ],
        ),
    ]
