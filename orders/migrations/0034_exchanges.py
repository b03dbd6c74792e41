"""Exchanges and claims, changes of drafts, and what returns of exchanges count at once.

The columns of orders and their lines come last: PostgreSQL adds them without reading a row.
"""

import django.db.models.deletion
import kit.values.money
from django.db import migrations, models

from kit.database.large_tables import AddColumnInPlace


class Migration(migrations.Migration):

    dependencies = [
        ('carts', '0015_skipped_codes'),
        ('orders', '0033_credit_lines'),
        ('shop', '0007_location_providers'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='orderchange',
            name='orders_change_confirmed',
        ),
        migrations.RemoveConstraint(
            model_name='orderchangeaction',
            name='orders_changeaction_line',
        ),
        migrations.RemoveConstraint(
            model_name='orderchangeaction',
            name='orders_changeaction_kind',
        ),
        migrations.RemoveConstraint(
            model_name='orderchangeaction',
            name='orders_changeaction_subject',
        ),
        migrations.AddField(
            model_name='orderchange',
            name='cart',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='carts.cart'),
        ),
        migrations.AddField(
            model_name='orderchange',
            name='claim_type',
            field=models.CharField(choices=[('refund', 'Refund'), ('replace', 'Replace')], editable=False, max_length=8, null=True),
        ),
        migrations.AddField(
            model_name='orderchange',
            name='display_id',
            field=models.PositiveIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='orderchange',
            name='kind',
            field=models.CharField(choices=[('edit', 'Edit'), ('exchange', 'Exchange'), ('claim', 'Claim'), ('draft', 'Draft')], db_default='edit', default='edit', editable=False, max_length=8),
        ),
        migrations.AddField(
            model_name='orderchange',
            name='location',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.stocklocation'),
        ),
        migrations.AddField(
            model_name='orderchange',
            name='reason',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='orders.returnreason'),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='claim_reason',
            field=models.CharField(choices=[('missing_item', 'Missing Item'), ('wrong_item', 'Wrong Item'), ('production_failure', 'Production Failure'), ('other', 'Other')], max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='code',
            field=models.CharField(max_length=255, null=True),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='is_inbound',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='reason',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='orders.returnreason'),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='replaces',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='orderchangeaction',
            name='title',
            field=models.TextField(null=True),
        ),
        migrations.AddField(
            model_name='return',
            name='change',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='returns', to='orders.orderchange'),
        ),
        migrations.AddField(
            model_name='return',
            name='is_written_off',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='orderchange',
            name='order',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='orders.order'),
        ),
        migrations.AlterField(
            model_name='orderchangeaction',
            name='action',
            field=models.CharField(choices=[('item_add', 'Item Add'), ('item_update', 'Item Update'), ('return_item', 'Return Item'), ('write_off_item', 'Write Off Item'), ('shipping_add', 'Shipping Add'), ('shipping_update', 'Shipping Update'), ('shipping_remove', 'Shipping Remove'), ('promotion_add', 'Promotion Add'), ('promotion_remove', 'Promotion Remove')], max_length=16),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['pending', 'requested'])), fields=('cart',), name='orders_change_one_open_of_cart'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ['exchange', 'claim'])), fields=('order', 'kind', 'display_id'), name='orders_change_number'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['edit', 'exchange', 'claim', 'draft'])), name='orders_change_kind'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cart__isnull', False), ('kind', 'draft'), ('order', None)), models.Q(models.Q(('kind', 'draft'), _negated=True), ('cart', None), ('order__isnull', False)), _connector='OR'), name='orders_change_owner'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('claim_type__in', ['refund', 'replace']), ('claim_type__isnull', False), ('kind', 'claim')), models.Q(models.Q(('kind', 'claim'), _negated=True), ('claim_type', None)), _connector='OR'), name='orders_change_claim_type'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['exchange', 'claim']), ('display_id__isnull', False)), models.Q(models.Q(('kind__in', ['exchange', 'claim']), _negated=True), ('display_id', None)), _connector='OR'), name='orders_change_numbered'),
        ),
        migrations.AddConstraint(
            model_name='orderchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at__isnull', False), ('status', 'confirmed'), ('total_after__isnull', False), ('total_before__isnull', False)), models.Q(('kind__in', ['exchange', 'claim']), ('status', 'canceled')), models.Q(models.Q(('status', 'confirmed'), _negated=True), ('confirmed_at', None)), _connector='OR'), name='orders_change_confirmed'),
        ),
        migrations.AddConstraint(
            model_name='orderchangeaction',
            constraint=models.UniqueConstraint(condition=models.Q(('line_id__isnull', False)), fields=('change', 'action', 'line_id'), name='orders_changeaction_line'),
        ),
        migrations.AddConstraint(
            model_name='orderchangeaction',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['item_add', 'item_update', 'return_item', 'write_off_item', 'shipping_add', 'shipping_update', 'shipping_remove', 'promotion_add', 'promotion_remove'])), name='orders_changeaction_kind'),
        ),
        migrations.AddConstraint(
            model_name='orderchangeaction',
            constraint=models.CheckConstraint(condition=models.Q(('claim_reason', None), models.Q(('action', 'write_off_item'), ('claim_reason__in', ['missing_item', 'wrong_item', 'production_failure', 'other'])), _connector='OR'), name='orders_changeaction_claim_reason'),
        ),
        migrations.AddConstraint(
            model_name='orderchangeaction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action__in', ['item_add', 'item_update']), ('code', None), ('is_inbound', False), ('line_id__isnull', False), ('method_id', None), ('quantity__isnull', False), models.Q(('unit_price', None), ('unit_price__gte', 0), _connector='OR')), models.Q(('action__in', ['return_item', 'write_off_item']), ('quantity__gte', 1), ('code', None), ('is_inbound', False), ('line_id__isnull', False), ('method_id', None), ('quantity__isnull', False)), models.Q(('action__in', ['shipping_add', 'shipping_update']), ('amount__gte', 0), ('code', None), ('line_id', None), ('method_id__isnull', False)), models.Q(('action', 'shipping_remove'), ('code', None), ('line_id', None), ('method_id__isnull', False)), models.Q(('action__in', ['promotion_add', 'promotion_remove']), ('code__isnull', False), ('is_inbound', False), ('line_id', None), ('method_id', None)), _connector='OR'), name='orders_changeaction_subject'),
        ),
        migrations.AddConstraint(
            model_name='return',
            constraint=models.UniqueConstraint(condition=models.Q(('change__isnull', False)), fields=('change', 'is_written_off'), name='orders_return_of_change'),
        ),
        migrations.AddConstraint(
            model_name='return',
            constraint=models.CheckConstraint(condition=models.Q(('is_written_off', False), ('change__isnull', False), _connector='OR'), name='orders_return_written_off'),
        ),
        AddColumnInPlace(
            model_name='order',
            name='agreed_return_total',
            field=kit.values.money.MoneyField(db_default=0, default=0, editable=False),
        ),
        AddColumnInPlace(
            model_name='orderlineitem',
            name='return_agreed_quantity',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
