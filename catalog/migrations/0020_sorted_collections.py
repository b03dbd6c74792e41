"""Indexes for the products of a collection, by date and by title."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0019_deleted_variants'),
    ]

    operations = [
        AddIndexWhileServing(
            model_name='listedproduct',
            index=models.Index(fields=['sales_channel_id', 'collection_id', 'created_at', 'id'], name='catalog_listed_in_created'),
        ),
        AddIndexWhileServing(
            model_name='listedproduct',
            index=models.Index(fields=['sales_channel_id', 'collection_id', 'title', 'id'], name='catalog_listed_in_title'),
        ),
    ]
