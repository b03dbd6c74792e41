"""The tables that list products by tag and by category; 0022 fills them."""

from django.db import migrations, models

import kit.values.ids


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0020_sorted_collections'),
    ]

    operations = [
        migrations.CreateModel(
            name=name,
            fields=[
                ('pk', models.CompositePrimaryKey('sales_channel_id', 'group_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sales_channel_id', kit.values.ids.UnconstrainedIdField()),
                ('group_id', kit.values.ids.UnconstrainedIdField()),
                ('id', kit.values.ids.UnconstrainedIdField()),
            ],
            options={
                'abstract': False,
            },
        )
        for name in ('ListedTag', 'ListedCategory')
    ]
