"""The tables of the catalogue, with search, triggers and counts, as the migrations that this one replaces leave them."""

from typing import Any

import catalog.models.categories
import catalog.models.search_entries
import kit.values.ids
import kit.values.money
import kit.search.documents
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from catalog import search
from catalog.stock import stock_triggers
from catalog.listings.counts import triggers as count_triggers
from catalog.listings.counts.queries import LINKS, PRODUCTS
from catalog.search import postgresql, sqlite
from kit.database.initial_tables import CreateModels


def _install(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    else:
        for statement in sqlite.TABLES:
            schema_editor.execute(statement)
    search.install(schema_editor)
    if schema_editor.connection.vendor == "postgresql":
        for name, definition in postgresql.INDEXES.items():
            schema_editor.execute(f'CREATE INDEX "{name}" {definition}')
    stock_triggers.install(schema_editor)
    for table in (PRODUCTS, LINKS):
        count_triggers.install(schema_editor, table)


def _remove(apps: Any, schema_editor: Any) -> None:
    """What the tables do not take with them."""
    for table in (PRODUCTS, LINKS):
        count_triggers.remove(schema_editor, table)
    stock_triggers.remove(schema_editor)
    search.remove(schema_editor)
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE catalog_product_fts")
        schema_editor.execute("DROP TABLE catalog_search_pause")



class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('catalog', '0001_initial'),
        ('catalog', '0002_products'),
        ('catalog', '0003_indexes'),
        ('catalog', '0004_search'),
        ('catalog', '0005_stock_movements'),
        ('catalog', '0006_stock_laws'),
        ('catalog', '0007_search_ends'),
        ('catalog', '0008_product_counts'),
        ('catalog', '0009_link_counts'),
        ('catalog', '0010_counted_products'),
    ]

    dependencies = [
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='ProductCategory',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pcat', serialize=False)),
                    ('name', models.CharField(max_length=255)),
                    ('handle', models.CharField(max_length=255)),
                    ('description', models.TextField(blank=True, default='')),
                    ('rank', models.PositiveIntegerField(default=0)),
                    ('is_active', models.BooleanField(default=True)),
                    ('is_internal', models.BooleanField(default=False)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('path', catalog.models.categories.PathField(editable=False)),
                    ('is_visible', models.BooleanField(editable=False)),
                    ('in_deleted_branch', models.BooleanField(default=False, editable=False)),
                    ('parent_category', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='category_children', to='catalog.productcategory')),
                    ('document', kit.search.documents.DocumentField(columns=('name', 'description', 'handle'))),
                ],
                options={
                    'verbose_name_plural': 'product categories',
                    'indexes': [models.Index(fields=['path'], name='catalog_category_path'), models.Index(fields=['name', 'id'], name='catalog_category_name'), models.Index(fields=['created_at', 'id'], name='catalog_category_created')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('handle',), name='catalog_category_handle_taken'), models.CheckConstraint(condition=models.Q(('is_visible', False), models.Q(('is_active', True), ('is_internal', False)), _connector='OR'), name='catalog_category_visible_if_public')],
                },
            ),
            migrations.CreateModel(
                name='InventoryItem',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='iitem', serialize=False)),
                    ('sku', models.CharField(blank=True, max_length=255, null=True)),
                    ('title', models.CharField(blank=True, default='', max_length=255)),
                    ('requires_shipping', models.BooleanField(default=True)),
                    ('variants', models.ManyToManyField(related_name='inventory_items', through='catalog.VariantInventoryItem', to='catalog.productvariant')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('sku',), name='catalog_inventoryitem_sku_taken')],
                },
            ),
            migrations.CreateModel(
                name='PriceSet',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pset', serialize=False)),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='PriceList',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='plist', serialize=False)),
                    ('title', models.CharField(max_length=255)),
                    ('description', models.TextField(blank=True, default='')),
                    ('type', models.CharField(choices=[('sale', 'Sale'), ('override', 'Override')], default='sale', max_length=16)),
                    ('status', models.CharField(choices=[('draft', 'Draft'), ('active', 'Active')], default='draft', max_length=16)),
                    ('starts_at', kit.values.timestamps.TimestampField(blank=True, null=True)),
                    ('ends_at', kit.values.timestamps.TimestampField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('title',), name='catalog_pricelist_title_taken'), models.CheckConstraint(condition=models.Q(('starts_at', None), ('ends_at', None), ('starts_at__lt', models.F('ends_at')), _connector='OR'), name='catalog_pricelist_starts_before_end'), models.CheckConstraint(condition=models.Q(('type__in', ['sale', 'override'])), name='catalog_pricelist_type'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'active'])), name='catalog_pricelist_status')],
                },
            ),
            migrations.CreateModel(
                name='Price',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='price', serialize=False)),
                    ('amount', kit.values.money.MoneyField()),
                    ('min_quantity', models.PositiveIntegerField(blank=True, null=True)),
                    ('max_quantity', models.PositiveIntegerField(blank=True, null=True)),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('price_list', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='catalog.pricelist')),
                    ('price_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='catalog.priceset')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount__gte', 0)), name='catalog_price_not_negative'), models.CheckConstraint(condition=models.Q(('min_quantity', None), ('max_quantity', None), ('min_quantity__lte', models.F('max_quantity')), _connector='OR'), name='catalog_price_quantities')],
                },
            ),
            migrations.CreateModel(
                name='ProductCollection',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pcol', serialize=False)),
                    ('title', models.CharField(max_length=255)),
                    ('handle', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('document', kit.search.documents.DocumentField(columns=('title', 'handle'))),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('handle',), name='catalog_collection_handle_taken')],
                },
            ),
            migrations.CreateModel(
                name='Product',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('width', models.FloatField(blank=True, null=True)),
                    ('weight', models.FloatField(blank=True, null=True)),
                    ('length', models.FloatField(blank=True, null=True)),
                    ('height', models.FloatField(blank=True, null=True)),
                    ('origin_country', models.CharField(blank=True, max_length=255, null=True)),
                    ('hs_code', models.CharField(blank=True, max_length=255, null=True)),
                    ('mid_code', models.CharField(blank=True, max_length=255, null=True)),
                    ('material', models.CharField(blank=True, max_length=255, null=True)),
                    ('id', kit.values.ids.IdField(prefix='prod', serialize=False)),
                    ('title', models.CharField(max_length=255)),
                    ('handle', models.CharField(max_length=255)),
                    ('subtitle', models.TextField(blank=True, null=True)),
                    ('description', models.TextField(blank=True, null=True)),
                    ('status', models.CharField(choices=[('draft', 'Draft'), ('proposed', 'Proposed'), ('published', 'Published'), ('rejected', 'Rejected')], default='draft', max_length=16)),
                    ('thumbnail', models.TextField(blank=True, null=True)),
                    ('external_id', models.CharField(blank=True, max_length=255, null=True)),
                    ('is_giftcard', models.BooleanField(default=False)),
                    ('discountable', models.BooleanField(default=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('categories', models.ManyToManyField(blank=True, related_name='products', to='catalog.productcategory')),
                    ('sales_channels', models.ManyToManyField(blank=True, related_name='products', to='shop.saleschannel')),
                    ('shipping_profile', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='products', to='shop.shippingprofile')),
                    ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='products', to='catalog.productcollection')),
                    ('tags', models.ManyToManyField(blank=True, related_name='products', to='catalog.producttag')),
                    ('type', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='products', to='catalog.producttype')),
                    ('document', kit.search.documents.DocumentField(columns=('title', 'subtitle', 'description', 'handle'))),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('deleted_at', None)), fields=['status', 'id'], name='catalog_product_status_living'), models.Index(fields=['created_at', 'id'], name='catalog_product_created'), models.Index(fields=['title', 'id'], name='catalog_product_title')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('handle',), name='catalog_product_handle_taken'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'proposed', 'published', 'rejected'])), name='catalog_product_status')],
                },
            ),
            migrations.CreateModel(
                name='ProductImage',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='img', serialize=False)),
                    ('url', models.TextField()),
                    ('rank', models.PositiveIntegerField(default=0)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='images', to='catalog.product')),
                ],
                options={
                    'abstract': False,
                },
            ),
            migrations.CreateModel(
                name='ProductOption',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='opt', serialize=False)),
                    ('title', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('product', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='options', to='catalog.product')),
                    ('document', kit.search.documents.DocumentField(columns=('title',))),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('product', 'title'), name='catalog_option_title_taken')],
                },
            ),
            migrations.CreateModel(
                name='ProductOptionValue',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='optval', serialize=False)),
                    ('value', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('option', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='values', to='catalog.productoption')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('option', 'value'), name='catalog_optionvalue_taken')],
                },
            ),
            migrations.CreateModel(
                name='ProductTag',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='ptag', serialize=False)),
                    ('value', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('document', kit.search.documents.DocumentField(columns=('value',))),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('value',), name='catalog_tag_value_taken')],
                },
            ),
            migrations.CreateModel(
                name='ProductType',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='ptyp', serialize=False)),
                    ('value', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('document', kit.search.documents.DocumentField(columns=('value',))),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('value',), name='catalog_type_value_taken')],
                },
            ),
            migrations.CreateModel(
                name='ProductVariant',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('width', models.FloatField(blank=True, null=True)),
                    ('weight', models.FloatField(blank=True, null=True)),
                    ('length', models.FloatField(blank=True, null=True)),
                    ('height', models.FloatField(blank=True, null=True)),
                    ('origin_country', models.CharField(blank=True, max_length=255, null=True)),
                    ('hs_code', models.CharField(blank=True, max_length=255, null=True)),
                    ('mid_code', models.CharField(blank=True, max_length=255, null=True)),
                    ('material', models.CharField(blank=True, max_length=255, null=True)),
                    ('id', kit.values.ids.IdField(prefix='variant', serialize=False)),
                    ('title', models.CharField(max_length=255)),
                    ('sku', models.CharField(blank=True, max_length=255, null=True)),
                    ('barcode', models.CharField(blank=True, max_length=255, null=True)),
                    ('ean', models.CharField(blank=True, max_length=255, null=True)),
                    ('upc', models.CharField(blank=True, max_length=255, null=True)),
                    ('allow_backorder', models.BooleanField(default=False)),
                    ('manage_inventory', models.BooleanField(default=True)),
                    ('variant_rank', models.PositiveIntegerField(default=0)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('images', models.ManyToManyField(blank=True, related_name='variants', to='catalog.productimage')),
                    ('options', models.ManyToManyField(blank=True, related_name='variants', to='catalog.productoptionvalue')),
                    ('price_set', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='variant', to='catalog.priceset')),
                    ('product', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='variants', to='catalog.product')),
                    ('document', kit.search.documents.DocumentField(columns=('title', 'sku', 'barcode', 'ean', 'upc'))),
                ],
                options={
                    'indexes': [models.Index(fields=['product', 'deleted_at'], name='catalog_variant_product')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('sku',), name='catalog_variant_sku_taken'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('barcode',), name='catalog_variant_barcode_taken'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('ean',), name='catalog_variant_ean_taken'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('upc',), name='catalog_variant_upc_taken')],
                },
            ),
            migrations.CreateModel(
                name='Reservation',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='resitem', serialize=False)),
                    ('quantity', models.PositiveIntegerField()),
                    ('line_item_id', models.CharField(blank=True, db_index=True, max_length=64, null=True)),
                    ('description', models.TextField(blank=True, default='')),
                    ('inventory_item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reservations', to='catalog.inventoryitem')),
                    ('location', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reservations', to='shop.stocklocation')),
                    ('allow_backorder', models.BooleanField(default=False)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('deleted_at', None)), fields=['inventory_item', 'location'], name='catalog_reservation_living')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('quantity__gte', 1)), name='catalog_reservation_some')],
                },
            ),
            migrations.CreateModel(
                name='VariantInventoryItem',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pvitem', serialize=False)),
                    ('required_quantity', models.PositiveIntegerField(default=1)),
                    ('inventory_item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='variant_links', to='catalog.inventoryitem')),
                    ('variant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inventory_links', to='catalog.productvariant')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('variant', 'inventory_item'), name='catalog_variantitem_taken'), models.CheckConstraint(condition=models.Q(('required_quantity__gte', 1)), name='catalog_variantitem_some')],
                },
            ),
            migrations.CreateModel(
                name='InventoryLevel',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='ilev', serialize=False)),
                    ('stocked_quantity', models.IntegerField(default=0)),
                    ('reserved_quantity', models.PositiveIntegerField(default=0)),
                    ('incoming_quantity', models.PositiveIntegerField(default=0)),
                    ('inventory_item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='levels', to='catalog.inventoryitem')),
                    ('location', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='levels', to='shop.stocklocation')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('inventory_item', 'location'), name='catalog_inventorylevel_taken')],
                },
            ),
            migrations.CreateModel(
                name='PriceListRule',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='prule', serialize=False)),
                    ('attribute', models.CharField(max_length=255)),
                    ('value', models.JSONField(default=list)),
                    ('price_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rules', to='catalog.pricelist')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('price_list', 'attribute'), name='catalog_pricelistrule_taken')],
                },
            ),
            migrations.CreateModel(
                name='PriceRule',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='prule', serialize=False)),
                    ('attribute', models.CharField(max_length=255)),
                    ('operator', models.CharField(choices=[('eq', 'Equal'), ('gt', 'Greater'), ('gte', 'Greater Or Equal'), ('lt', 'Less'), ('lte', 'Less Or Equal')], default='eq', max_length=8)),
                    ('value', models.TextField()),
                    ('price', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rules', to='catalog.price')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('price', 'attribute', 'operator'), name='catalog_pricerule_taken'), models.CheckConstraint(condition=models.Q(('operator__in', ['eq', 'gt', 'gte', 'lt', 'lte'])), name='catalog_pricerule_operator')],
                },
            ),
            migrations.CreateModel(
                name='ProductSearch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('terms', catalog.models.search_entries.TermsField(editable=False)),
                    ('marked', models.TextField(editable=False)),
                    ('is_shown', models.BooleanField(editable=False)),
                    ('channels', catalog.models.search_entries.IdsField(editable=False)),
                    ('product', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='search', to='catalog.product')),
                ],
            ),
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
                    ('level', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='movements', to='catalog.inventorylevel')),
                ],
                options={
                    'indexes': [models.Index(fields=['level', 'id'], name='catalog_movement_history')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('reason__in', ['opening', 'set', 'adjustment', 'import', 'fulfillment', 'fulfillment_canceled', 'return'])), name='catalog_movement_reason'), models.CheckConstraint(condition=models.Q(('stocked_after', models.F('stocked_before')), _negated=True), name='catalog_movement_some'), models.CheckConstraint(condition=models.Q(('backordered', 0), ('reason', 'fulfillment'), _connector='OR'), name='catalog_movement_backordered'), models.CheckConstraint(condition=models.Q(('stocked_after__gte', django.db.models.expressions.CombinedExpression(models.F('backordered'), '*', models.Value(-1))), ('stocked_after__gte', django.db.models.expressions.CombinedExpression(models.F('stocked_before'), '-', models.F('backordered'))), _connector='OR'), name='catalog_movement_below_zero'), models.UniqueConstraint(condition=models.Q(('reason__in', ['fulfillment', 'fulfillment_canceled'])), fields=('level', 'reason', 'reference_id'), name='catalog_movement_once')],
                },
            ),
            migrations.CreateModel(
                name='ProductCount',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.IntegerField()),
                    ('sales_channel_id', models.CharField(max_length=64)),
                ],
                options={
                    'abstract': False,
                },
            ),
        ]),
        migrations.RunPython(_install, _remove),
        # A channel's products in the order of their ids: the ORM has indexes of this table the other way round only.
        migrations.RunSQL(
            "CREATE INDEX catalog_product_sold ON catalog_product_sales_channels (saleschannel_id, product_id)",
            "DROP INDEX catalog_product_sold",
        ),
    ]
