"""The tables of customers, as the migrations that this one replaces leave them."""

import kit.values.ids
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models

from kit.database.initial_tables import CreateModels


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('customers', '0001_initial'),
        ('customers', '0002_erasure'),
        ('customers', '0003_note'),
    ]

    dependencies = []

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='CustomerGroup',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='cusgroup', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('name',), name='customers_group_name_taken')],
                },
            ),
            migrations.CreateModel(
                name='Customer',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='cus', serialize=False)),
                    ('email', models.EmailField(blank=True, max_length=254, null=True)),
                    ('has_account', models.BooleanField(default=False)),
                    ('company_name', models.TextField(blank=True, null=True)),
                    ('first_name', models.TextField(blank=True, null=True)),
                    ('last_name', models.TextField(blank=True, null=True)),
                    ('phone', models.TextField(blank=True, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('groups', models.ManyToManyField(blank=True, related_name='customers', to='customers.customergroup')),
                    ('erased_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('note', models.TextField(blank=True, null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('erased_at', None), _negated=True), fields=['erased_at'], name='customers_customer_erased')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('email', 'has_account'), name='customers_customer_email_taken'), models.CheckConstraint(condition=models.Q(('email', None), ('email', django.db.models.functions.text.Lower('email')), _connector='OR'), name='customers_customer_email_lower'), models.CheckConstraint(condition=models.Q(('has_account', False), ('email__isnull', False), _connector='OR'), name='customers_customer_account')],
                    'permissions': [('erase_customer', 'Can erase the personal data of a customer or guest')],
                },
            ),
            migrations.CreateModel(
                name='CustomerAddress',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('company', models.TextField(blank=True, null=True)),
                    ('address_1', models.TextField(blank=True, null=True)),
                    ('address_2', models.TextField(blank=True, null=True)),
                    ('city', models.TextField(blank=True, null=True)),
                    ('country_code', models.CharField(blank=True, max_length=2, null=True)),
                    ('province', models.TextField(blank=True, null=True)),
                    ('postal_code', models.TextField(blank=True, null=True)),
                    ('phone', models.TextField(blank=True, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('first_name', models.TextField(blank=True, null=True)),
                    ('last_name', models.TextField(blank=True, null=True)),
                    ('id', kit.values.ids.IdField(prefix='cuaddr', serialize=False)),
                    ('address_name', models.TextField(blank=True, null=True)),
                    ('is_default_shipping', models.BooleanField(default=False)),
                    ('is_default_billing', models.BooleanField(default=False)),
                    ('customer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='customers.customer')),
                ],
                options={
                    'verbose_name': 'address',
                    'verbose_name_plural': 'addresses',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None), ('is_default_shipping', True)), fields=('customer',), name='customers_default_shipping'), models.UniqueConstraint(condition=models.Q(('deleted_at', None), ('is_default_billing', True)), fields=('customer',), name='customers_default_billing')],
                },
            ),
        ]),
    ]
