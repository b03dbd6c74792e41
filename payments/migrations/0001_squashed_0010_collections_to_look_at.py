"""The tables of payments, as the migrations that this one replaces leave them."""

import kit.values.ids
import kit.values.money
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from kit.database.initial_tables import CreateModels


def make_the_provider(apps, schema_editor):
    """Off until staff switch it on, and assign it to regions."""
    apps.get_model("shop", "PaymentProvider").objects.create(id="pp_stripe_stripe", is_enabled=False)



class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('payments', '0001_initial'),
        ('payments', '0002_stripe'),
        ('payments', '0003_intent_amounts'),
        ('payments', '0004_claimed_at'),
        ('payments', '0005_idempotency_digest'),
        ('payments', '0006_order_id'),
        ('payments', '0007_returned_money'),
        ('payments', '0008_refused_intents'),
        ('payments', '0009_other_currency'),
        ('payments', '0010_collections_to_look_at'),
    ]

    dependencies = [
        ('carts', '0004_closed_cart'),
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='PaymentCollection',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pay_col', serialize=False)),
                    ('amount', kit.values.money.MoneyField()),
                    ('authorized_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('captured_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('refunded_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('status', models.CharField(choices=[('not_paid', 'Not Paid'), ('awaiting', 'Awaiting'), ('authorized', 'Authorized'), ('partially_authorized', 'Partially Authorized'), ('canceled', 'Canceled'), ('failed', 'Failed'), ('partially_captured', 'Partially Captured'), ('completed', 'Completed')], default='not_paid', max_length=20)),
                    ('completed_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('cart', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='payment_collection', to='carts.cart')),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('order_id', models.CharField(blank=True, db_index=True, editable=False, max_length=64, null=True)),
                    ('returned_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('has_other_currency', models.BooleanField(db_default=False, default=False, editable=False)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('captured_amount__gt', django.db.models.expressions.CombinedExpression(models.F('amount'), '+', models.F('refunded_amount'))), ('has_other_currency', True), _connector='OR'), fields=['id'], name='payments_collection_mismatched'), models.Index(condition=models.Q(('status', 'authorized')), fields=['id'], name='payments_collection_to_capture')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount__gte', 0)), name='payments_collection_amount'), models.CheckConstraint(condition=models.Q(('authorized_amount__gte', models.F('captured_amount')), ('captured_amount__gte', models.F('refunded_amount')), ('refunded_amount__gte', 0)), name='payments_collection_sums'), models.CheckConstraint(condition=models.Q(('status__in', ['not_paid', 'awaiting', 'authorized', 'partially_authorized', 'canceled', 'failed', 'partially_captured', 'completed'])), name='payments_collection_status'), models.CheckConstraint(condition=models.Q(('returned_amount__gte', 0), ('returned_amount__lte', models.F('captured_amount'))), name='payments_collection_returned')],
                },
            ),
            migrations.CreateModel(
                name='PaymentSession',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='payses', serialize=False)),
                    ('amount', kit.values.money.MoneyField()),
                    ('data', models.JSONField(blank=True, default=dict)),
                    ('context', models.JSONField(blank=True, default=dict)),
                    ('status', models.CharField(choices=[('pending', 'Pending'), ('requires_more', 'Requires More'), ('pending_authorization', 'Pending Authorization'), ('authorized', 'Authorized'), ('captured', 'Captured'), ('error', 'Error'), ('canceled', 'Canceled')], default='pending', max_length=24)),
                    ('authorized_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payment_sessions', to='payments.paymentcollection')),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('provider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.paymentprovider')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ['canceled', 'captured']), _negated=True), fields=('collection',), name='payments_session_one_live'), models.CheckConstraint(condition=models.Q(('amount__gte', 0)), name='payments_session_amount'), models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'requires_more', 'pending_authorization', 'authorized', 'captured', 'error', 'canceled'])), name='payments_session_status')],
                },
            ),
            migrations.CreateModel(
                name='Payment',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='pay', serialize=False)),
                    ('amount', kit.values.money.MoneyField()),
                    ('authorized_amount', kit.values.money.MoneyField()),
                    ('captured_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('refunded_amount', kit.values.money.MoneyField(default=0, editable=False)),
                    ('captured_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('canceled_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('provider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.paymentprovider')),
                    ('collection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='payments.paymentcollection')),
                    ('session', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='payment', to='payments.paymentsession')),
                    ('returned_amount', kit.values.money.MoneyField(default=0, editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('authorized_amount__gte', models.F('captured_amount')), ('captured_amount__gte', models.F('refunded_amount')), ('refunded_amount__gte', 0)), name='payments_payment_sums'), models.CheckConstraint(condition=models.Q(('returned_amount__gte', 0), ('returned_amount__lte', models.F('captured_amount'))), name='payments_payment_returned')],
                },
            ),
            migrations.CreateModel(
                name='Intent',
                fields=[
                    ('id', kit.values.ids.IdField(prefix='payint', serialize=False)),
                    ('act', models.CharField(choices=[('start', 'Start'), ('authorize', 'Authorize'), ('capture', 'Capture'), ('refund', 'Refund'), ('cancel', 'Cancel')], max_length=16)),
                    ('amount', kit.values.money.MoneyField(blank=True, null=True)),
                    ('data', models.JSONField(blank=True, default=dict)),
                    ('note', models.TextField(blank=True, null=True)),
                    ('created_by', models.CharField(blank=True, max_length=64, null=True)),
                    ('idempotency_digest', models.CharField(blank=True, db_column='key_mark', max_length=64, null=True)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('claimed_until', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('attempts', models.PositiveIntegerField(default=0, editable=False)),
                    ('done_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('result', models.CharField(blank=True, choices=[('done', 'Done'), ('refused', 'Refused')], max_length=8)),
                    ('error', models.TextField(blank=True)),
                    ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='intents', to='payments.paymentsession')),
                    ('refund_reason', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.refundreason')),
                    ('claimed_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('is_owed', models.BooleanField(default=False, editable=False)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('done_at', None)), fields=['claimed_until'], name='payments_intent_open'), models.Index(condition=models.Q(('act__in', ['capture', 'refund']), ('result', 'refused')), fields=['session'], name='payments_intent_refused')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('act__in', ['start', 'cancel'])), fields=('session', 'act'), name='payments_intent_once_a_session'), models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('result', '')), models.Q(('done_at__isnull', False), models.Q(('result', ''), _negated=True)), _connector='OR'), name='payments_intent_result'), models.CheckConstraint(condition=models.Q(models.Q(('act__in', ['capture', 'refund']), ('amount__gt', 0), ('amount__isnull', False)), models.Q(('act__in', ['start', 'authorize', 'cancel']), ('amount', None)), _connector='OR'), name='payments_intent_amount'), models.UniqueConstraint(fields=('idempotency_digest',), name='payments_intent_key_once')],
                },
            ),
            migrations.CreateModel(
                name='ProviderEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event_id', models.CharField(max_length=255)),
                    ('action', models.CharField(max_length=24)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('provider', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.paymentprovider')),
                    ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='payments.paymentsession')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('provider', 'event_id'), name='payments_event_once')],
                },
            ),
            migrations.CreateModel(
                name='RefundReason',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='refr', serialize=False)),
                    ('code', models.CharField(max_length=255)),
                    ('label', models.CharField(max_length=255)),
                    ('description', models.TextField(blank=True, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('code',), name='payments_refund_reason_code_taken')],
                },
            ),
            migrations.CreateModel(
                name='Refund',
                fields=[
                    ('amount', kit.values.money.MoneyField()),
                    ('created_by', models.CharField(blank=True, max_length=64, null=True)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('id', kit.values.ids.IdField(prefix='ref', serialize=False)),
                    ('note', models.TextField(blank=True, null=True)),
                    ('intent', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='refund', to='payments.intent')),
                    ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='payments.payment')),
                    ('refund_reason', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='payments.refundreason')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='payments_refund_amount')],
                },
            ),
            migrations.CreateModel(
                name='Capture',
                fields=[
                    ('amount', kit.values.money.MoneyField()),
                    ('created_by', models.CharField(blank=True, max_length=64, null=True)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('id', kit.values.ids.IdField(prefix='capt', serialize=False)),
                    ('intent', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='capture', to='payments.intent')),
                    ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='captures', to='payments.payment')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='payments_capture_amount')],
                },
            ),
        ]),
        migrations.RunPython(make_the_provider, migrations.RunPython.noop),
    ]
