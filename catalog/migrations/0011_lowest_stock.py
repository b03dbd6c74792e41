"""The lowest stock of products; 0012 fills it. An index of deleted products."""

import django.db.models.deletion
from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0010_counted_products'),
    ]

    operations = [
        migrations.CreateModel(
            name='StaleStock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('key', models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='LowestStock',
            fields=[
                ('product', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='lowest_stock', serialize=False, to='catalog.product')),
                ('available', models.IntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['available', 'product'], name='catalog_loweststock_available')],
            },
        ),
        AddIndexWhileServing(
            model_name='product',
            index=models.Index(condition=models.Q(('deleted_at', None), _negated=True), fields=['id'], name='catalog_product_deleted'),
        ),
    ]
