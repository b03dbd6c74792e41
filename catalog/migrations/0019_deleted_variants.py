"""An index of deleted variants, whose prices are not among the stored lowest ones."""

from django.db import migrations, models

from kit.database.large_tables import AddIndexWhileServing


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('catalog', '0018_link_indexes'),
    ]

    operations = [
        AddIndexWhileServing(
            model_name='productvariant',
            index=models.Index(condition=models.Q(('deleted_at__isnull', False)), fields=['product'], name='catalog_variant_deleted'),
        ),
    ]
