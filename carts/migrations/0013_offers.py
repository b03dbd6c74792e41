"""Rules, codes and campaigns of promotions, and what a cart keeps of each of its promotions."""

import django.db.models.deletion
import kit.values.ids
import kit.values.money
import kit.values.timestamps
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('carts', '0012_expiry_indexes'),
        ('catalog', '0027_stock_metadata'),
        ('shop', '0007_location_providers'),
    ]

    operations = [
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                ('id', kit.values.ids.IdField(prefix='procamp', serialize=False)),
                ('name', models.CharField(max_length=255)),
                ('description', models.TextField(blank=True, null=True)),
                ('campaign_identifier', models.CharField(max_length=255)),
                ('starts_at', kit.values.timestamps.TimestampField(blank=True, null=True)),
                ('ends_at', kit.values.timestamps.TimestampField(blank=True, null=True)),
                ('budget_type', models.CharField(blank=True, choices=[('usage', 'Usage'), ('spend', 'Spend')], max_length=8, null=True)),
                ('budget_limit', kit.values.money.MoneyField(blank=True, null=True)),
                ('budget_used', kit.values.money.MoneyField(default=0, editable=False)),
                ('metadata', models.JSONField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PromotionCode',
            fields=[
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                ('id', kit.values.ids.IdField(prefix='procode', serialize=False)),
                ('code', models.CharField(max_length=255)),
                ('code_key', models.CharField(editable=False, max_length=765)),
                ('usage_limit', models.PositiveIntegerField(blank=True, null=True)),
                ('used', models.PositiveIntegerField(default=0, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='PromotionGate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=96)),
            ],
        ),
        migrations.CreateModel(
            name='PromotionRule',
            fields=[
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                ('id', kit.values.ids.IdField(prefix='prorul', serialize=False)),
                ('kind', models.CharField(choices=[('rules', 'Rules'), ('target_rules', 'Target Rules'), ('buy_rules', 'Buy Rules')], max_length=16)),
                ('attribute', models.CharField(max_length=64)),
                ('operator', models.CharField(choices=[('in', 'is one of'), ('eq', 'is'), ('ne', 'is not'), ('gt', 'is above'), ('gte', 'is at least'), ('lt', 'is below'), ('lte', 'is at most')], default='in', max_length=8)),
                ('values', models.JSONField()),
                ('description', models.TextField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='promotion',
            name='carts_promotion_type',
        ),
        migrations.AddField(
            model_name='promotion',
            name='allocation',
            field=models.CharField(blank=True, choices=[('each', 'Each'), ('across', 'Across'), ('once', 'Once')], db_default='each', default='each', max_length=8, null=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='apply_to_quantity',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='buy_rules_min_quantity',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='combines_with_order',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='combines_with_product',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='combines_with_shipping',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='description',
            field=models.TextField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='has_codes',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='promotion',
            name='is_gated',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='promotion',
            name='kind',
            field=models.CharField(choices=[('standard', 'Standard'), ('buyget', 'Buyget')], db_default='standard', default='standard', max_length=16),
        ),
        migrations.AddField(
            model_name='promotion',
            name='max_quantity',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='promotion',
            name='priority',
            field=models.SmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='promotion',
            name='status',
            field=models.CharField(choices=[('draft', 'Draft'), ('active', 'Active'), ('inactive', 'Inactive')], db_default='draft', default='active', max_length=16),
        ),
        migrations.AddField(
            model_name='promotion',
            name='target_type',
            field=models.CharField(choices=[('items', 'Items'), ('order', 'Order'), ('shipping_methods', 'Shipping Methods')], db_default='items', default='items', max_length=16),
        ),
        migrations.AddField(
            model_name='promotionusage',
            name='amount',
            field=kit.values.money.MoneyField(null=True),
        ),
        migrations.AddField(
            model_name='shippingmethodadjustment',
            name='is_tax_inclusive',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name='promotion',
            name='target',
            field=models.CharField(choices=[('items', 'Items'), ('order', 'Order'), ('shipping_methods', 'Shipping Methods')], max_length=16),
        ),
        migrations.AddField(
            model_name='campaign',
            name='budget_currency',
            field=models.ForeignKey(blank=True, db_column='budget_currency_code', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency'),
        ),
        migrations.AddField(
            model_name='promotion',
            name='campaign',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='promotions', to='carts.campaign'),
        ),
        migrations.AddField(
            model_name='promotionusage',
            name='campaign',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='carts.campaign'),
        ),
        migrations.AddIndex(
            model_name='promotion',
            index=models.Index(condition=models.Q(('deleted_at', None), ('is_automatic', True), ('is_gated', False), ('status', 'active')), fields=['id'], name='carts_promotion_for_all'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('type', 'percentage'), ('value__lte', 100)), models.Q(('currency__isnull', False), ('type', 'fixed')), _connector='OR'), name='carts_promotion_amount'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'active', 'inactive'])), name='carts_promotion_status'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('apply_to_quantity', None), ('buy_rules_min_quantity', None), ('kind', 'standard')), models.Q(('apply_to_quantity__gte', 1), ('buy_rules_min_quantity__gte', 1), ('kind', 'buyget'), ('target_type', 'items')), _connector='OR'), name='carts_promotion_kind'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('allocation', None), ('max_quantity', None), ('target_type', 'order')), models.Q(('target_type__in', ('items', 'shipping_methods')), models.Q(('allocation', 'each'), models.Q(('allocation', 'across'), ('max_quantity', None)), models.Q(('allocation', 'once'), ('max_quantity__isnull', False)), _connector='OR')), _connector='OR'), models.Q(('max_quantity', None), ('max_quantity__gte', 1), _connector='OR')), name='carts_promotion_allocation'),
        ),
        migrations.AddConstraint(
            model_name='promotion',
            constraint=models.CheckConstraint(condition=models.Q(('is_automatic', False), ('has_codes', False), _connector='OR'), name='carts_promotion_entry'),
        ),
        migrations.AddField(
            model_name='promotioncode',
            name='promotion',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='codes', to='carts.promotion'),
        ),
        migrations.AddField(
            model_name='promotionusage',
            name='code',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='carts.promotioncode'),
        ),
        migrations.AddField(
            model_name='promotiongate',
            name='promotion',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gates', to='carts.promotion'),
        ),
        migrations.AddField(
            model_name='promotionrule',
            name='promotion',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rules', to='carts.promotion'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('campaign_identifier',), name='carts_campaign_identifier_taken'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('starts_at', None), ('ends_at', None), ('starts_at__lt', models.F('ends_at')), _connector='OR'), name='carts_campaign_starts_before_end'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('budget_currency', None), ('budget_limit', None), ('budget_type', None)), models.Q(('budget_currency', None), ('budget_type', 'usage')), models.Q(('budget_currency__isnull', False), ('budget_type', 'spend')), _connector='OR'), name='carts_campaign_budget'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('budget_used__gte', 0), models.Q(('budget_limit', None), ('budget_used__lte', models.F('budget_limit')), _connector='OR')), name='carts_campaign_within_budget'),
        ),
        migrations.AddIndex(
            model_name='promotioncode',
            index=models.Index(fields=['promotion', 'id'], name='carts_promotioncode_listed'),
        ),
        migrations.AddConstraint(
            model_name='promotioncode',
            constraint=models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('code_key',), name='carts_promotioncode_taken'),
        ),
        migrations.AddConstraint(
            model_name='promotioncode',
            constraint=models.CheckConstraint(condition=models.Q(('usage_limit', None), ('used__lte', models.F('usage_limit')), _connector='OR'), name='carts_promotioncode_usage'),
        ),
        migrations.AddConstraint(
            model_name='promotiongate',
            constraint=models.UniqueConstraint(fields=('key', 'promotion'), name='carts_promotiongate_once'),
        ),
        migrations.AddConstraint(
            model_name='promotionrule',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['rules', 'target_rules', 'buy_rules'])), name='carts_promotionrule_kind'),
        ),
        migrations.AddConstraint(
            model_name='promotionrule',
            constraint=models.CheckConstraint(condition=models.Q(('operator__in', ['in', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte'])), name='carts_promotionrule_operator'),
        ),
        # The table of the links is there; older versions go on writing its three columns.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='CartPromotion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('cart', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cart_promotions', to='carts.cart')),
                        ('promotion', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cart_promotions', to='carts.promotion')),
                    ],
                    options={
                        'db_table': 'carts_cart_promotions',
                        'unique_together': {('cart', 'promotion')},
                    },
                ),
                migrations.AlterField(
                    model_name='cart',
                    name='promotions',
                    field=models.ManyToManyField(blank=True, related_name='carts', through='carts.CartPromotion', to='carts.promotion'),
                ),
            ],
        ),
        migrations.AddField(
            model_name='cartpromotion',
            name='entered',
            field=models.CharField(max_length=255, null=True),
        ),
        migrations.AddField(
            model_name='cartpromotion',
            name='is_applied',
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name='cartpromotion',
            name='reason',
            field=models.CharField(choices=[('minimum_not_reached', 'Minimum Not Reached'), ('no_matching_items', 'No Matching Items'), ('no_shipping_method', 'No Shipping Method'), ('not_for_customer', 'Not For Customer'), ('not_for_place', 'Not For Place'), ('not_first_order', 'Not First Order'), ('not_combinable', 'Not Combinable'), ('budget_exceeded', 'Budget Exceeded')], max_length=32, null=True),
        ),
        migrations.AddField(
            model_name='cartpromotion',
            name='missing',
            field=kit.values.money.MoneyField(null=True),
        ),
        migrations.AddField(
            model_name='cartpromotion',
            name='promotion_code',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='carts.promotioncode'),
        ),
    ]
