"""The tables of the shop and its first rows, as the migrations that this one replaces leave them."""

import kit.values.ids
import kit.values.money
import kit.values.timestamps
import django.db.models.deletion
from django.db import migrations, models

from kit.database.initial_tables import CreateModels
from shop.migrations._first_rows import enter_currencies_and_countries, make_the_store


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('shop', '0001_initial'),
        ('shop', '0002_the_store'),
        ('shop', '0003_regions_and_stock'),
        ('shop', '0004_currencies_and_countries'),
    ]

    dependencies = []

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='FulfillmentProvider',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', models.CharField(max_length=64, primary_key=True, serialize=False)),
                    ('is_enabled', models.BooleanField(default=True)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='PaymentProvider',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', models.CharField(max_length=64, primary_key=True, serialize=False)),
                    ('is_enabled', models.BooleanField(default=True)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='SalesChannel',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='sc', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('description', models.TextField(blank=True, default='')),
                    ('is_disabled', models.BooleanField(default=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('name',), name='shop_saleschannel_name_taken')],
                },
            ),
            migrations.CreateModel(
                name='Store',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='store', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('default_sales_channel', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.saleschannel')),
                    ('default_region', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.region')),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='Currency',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('code', models.CharField(max_length=3, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('decimal_digits', models.PositiveSmallIntegerField()),
                    ('is_tax_inclusive', models.BooleanField(default=False)),
                ],
                options={
                    'verbose_name_plural': 'currencies',
                },
            ),
            migrations.CreateModel(
                name='StockLocationAddress',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='laddr', serialize=False)),
                    ('company', models.TextField(blank=True, null=True)),
                    ('address_1', models.TextField(blank=True, null=True)),
                    ('address_2', models.TextField(blank=True, null=True)),
                    ('city', models.TextField(blank=True, null=True)),
                    ('country_code', models.CharField(blank=True, max_length=2, null=True)),
                    ('province', models.TextField(blank=True, null=True)),
                    ('postal_code', models.TextField(blank=True, null=True)),
                    ('phone', models.TextField(blank=True, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='Region',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='reg', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('tax_rate', kit.values.money.PercentField(default=0)),
                    ('is_tax_inclusive', models.BooleanField(default=False)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('payment_providers', models.ManyToManyField(blank=True, related_name='regions', to='shop.paymentprovider')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('name',), name='shop_region_name_taken'), models.CheckConstraint(condition=models.Q(('tax_rate__gte', 0), ('tax_rate__lte', 1000)), name='shop_region_tax_rate')],
                },
            ),
            migrations.CreateModel(
                name='Country',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('iso_2', models.CharField(max_length=2, primary_key=True, serialize=False)),
                    ('iso_3', models.CharField(max_length=3)),
                    ('num_code', models.CharField(max_length=3)),
                    ('name', models.CharField(max_length=255)),
                    ('display_name', models.CharField(max_length=255)),
                    ('region', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='countries', to='shop.region')),
                ],
                options={
                    'verbose_name_plural': 'countries',
                },
            ),
            migrations.CreateModel(
                name='ShippingProfile',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='sp', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('type', models.CharField(default='default', max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('name',), name='shop_shippingprofile_name_taken')],
                },
            ),
            migrations.CreateModel(
                name='StockLocation',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='sloc', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('sales_channels', models.ManyToManyField(blank=True, related_name='stock_locations', to='shop.saleschannel')),
                    ('address', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='location', to='shop.stocklocationaddress')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('name',), name='shop_stocklocation_name_taken')],
                },
            ),
            migrations.CreateModel(
                name='TaxRate',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='txr', serialize=False)),
                    ('province', models.CharField(blank=True, max_length=8, null=True)),
                    ('rate', kit.values.money.PercentField()),
                    ('country', models.ForeignKey(db_column='country_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.country')),
                    ('region', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tax_rates', to='shop.region')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('region', 'country', 'province'), name='shop_taxrate_province_taken'), models.UniqueConstraint(condition=models.Q(('province', None)), fields=('region', 'country'), name='shop_taxrate_country_taken'), models.CheckConstraint(condition=models.Q(('rate__gte', 0), ('rate__lte', 1000)), name='shop_taxrate_rate')],
                },
            ),
        ]),
        migrations.RunPython(make_the_store, migrations.RunPython.noop),
        migrations.RunPython(enter_currencies_and_countries, migrations.RunPython.noop),
    ]
