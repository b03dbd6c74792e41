"""The tables of gift cards with the triggers of the ledger, as the migrations that this one replaces leave them."""

from typing import Any

import kit.values.ids
import kit.values.money
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
from django.db import migrations, models

from kit.database.initial_tables import CreateModels
from giftcards import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor)



class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('giftcards', '0001_initial'),
        ('giftcards', '0002_guards'),
        ('giftcards', '0003_entries_by_moment'),
        ('giftcards', '0004_holds'),
        ('giftcards', '0005_order_lines'),
        ('giftcards', '0006_erased_notes'),
    ]

    dependencies = [
        ('carts', '0002_credit_line_most'),
        ('customers', '0001_initial'),
        ('shop', '0004_currencies_and_countries'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='GiftCard',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='gcard', serialize=False)),
                    ('code', models.CharField(max_length=64)),
                    ('status', models.CharField(choices=[('pending', 'Pending'), ('redeemed', 'Redeemed'), ('canceled', 'Canceled')], default='pending', editable=False, max_length=16)),
                    ('value', kit.values.money.MoneyField()),
                    ('unit', models.PositiveIntegerField(blank=True, editable=False, null=True)),
                    ('reference', models.CharField(blank=True, max_length=255, null=True)),
                    ('reference_id', models.CharField(blank=True, max_length=255, null=True)),
                    ('note', models.TextField(blank=True, null=True)),
                    ('expires_at', kit.values.timestamps.TimestampField(blank=True, null=True)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('customer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='gift_cards', to='customers.customer')),
                    ('line_item_id', models.CharField(blank=True, editable=False, max_length=64, null=True)),
                    ('held_by', models.CharField(blank=True, editable=False, max_length=64, null=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['reference', 'reference_id'], name='giftcards_card_reference')],
                    'constraints': [models.UniqueConstraint(fields=('code',), name='giftcards_card_code_taken'), models.CheckConstraint(condition=models.Q(('value__gt', 0)), name='giftcards_card_value'), models.CheckConstraint(condition=models.Q(('code', django.db.models.functions.text.Upper('code'))), name='giftcards_card_code_upper'), models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'redeemed', 'canceled'])), name='giftcards_card_status'), models.CheckConstraint(condition=models.Q(('held_by', None), ('status', 'pending'), _connector='OR'), name='giftcards_card_held_pending'), models.UniqueConstraint(fields=('line_item_id', 'unit'), name='giftcards_card_unit_taken'), models.CheckConstraint(condition=models.Q(models.Q(('line_item_id', None), ('unit', None)), models.Q(('line_item_id__isnull', False), ('unit__isnull', False)), _connector='OR'), name='giftcards_card_unit_of_line')],
                },
            ),
            migrations.CreateModel(
                name='StoreCreditAccount',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('credits', kit.values.money.MoneyField(default=0, editable=False)),
                    ('debits', kit.values.money.MoneyField(default=0, editable=False)),
                    ('id', kit.values.ids.IdField(prefix='sc_acc', serialize=False)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('currency', models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency')),
                    ('customer', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='store_credit_accounts', to='customers.customer')),
                    ('gift_card', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='guest_account', to='giftcards.giftcard')),
                    ('held', kit.values.money.MoneyField(default=0, editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('customer', 'currency'), name='giftcards_account_taken'), models.CheckConstraint(condition=models.Q(models.Q(('customer', None), ('gift_card__isnull', False)), models.Q(('customer__isnull', False), ('gift_card', None)), _connector='OR'), name='giftcards_account_owner'), models.CheckConstraint(condition=models.Q(('credits__gte', models.F('debits')), ('debits__gte', 0)), name='giftcards_account_balance'), models.CheckConstraint(condition=models.Q(('held__gte', 0), ('held__lte', django.db.models.expressions.CombinedExpression(models.F('credits'), '-', models.F('debits')))), name='giftcards_account_held')],
                },
            ),
            migrations.CreateModel(
                name='TransactionGroup',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('credits', kit.values.money.MoneyField(default=0, editable=False)),
                    ('debits', kit.values.money.MoneyField(default=0, editable=False)),
                    ('id', kit.values.ids.IdField(prefix='sc_trxg', serialize=False)),
                    ('code', models.CharField(max_length=255)),
                    ('metadata', models.JSONField(blank=True, null=True)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transaction_groups', to='giftcards.storecreditaccount')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('code',), name='giftcards_group_code_taken'), models.CheckConstraint(condition=models.Q(('credits__gte', models.F('debits')), ('debits__gte', 0)), name='giftcards_group_balance')],
                },
            ),
            migrations.CreateModel(
                name='Transaction',
                fields=[
                    ('id', kit.values.ids.IdField(prefix='sc_trx', serialize=False)),
                    ('type', models.CharField(choices=[('credit', 'Credit'), ('debit', 'Debit')], max_length=8)),
                    ('amount', kit.values.money.MoneyField()),
                    ('reference', models.CharField(max_length=255)),
                    ('reference_id', models.CharField(max_length=255)),
                    ('note', models.TextField(blank=True, null=True)),
                    ('created_by', models.CharField(blank=True, max_length=64, null=True)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('group', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transactions', to='giftcards.transactiongroup')),
                ],
                options={
                    'indexes': [models.Index(fields=['created_at'], name='giftcards_transaction_moment')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('reference', 'gift_card'), ('type', 'credit')), fields=('type', 'reference', 'reference_id'), name='giftcards_transaction_once_a_card'), models.UniqueConstraint(fields=('reference', 'reference_id', 'type', 'group'), name='giftcards_transaction_once_a_group'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='giftcards_transaction_amount'), models.CheckConstraint(condition=models.Q(('type__in', ['credit', 'debit'])), name='giftcards_transaction_type')],
                },
            ),
            migrations.CreateModel(
                name='CreditHold',
                fields=[
                    ('id', kit.values.ids.IdField(prefix='sc_hold', serialize=False)),
                    ('attempt_id', models.CharField(max_length=64)),
                    ('amount', kit.values.money.MoneyField()),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='holds', to='giftcards.storecreditaccount')),
                    ('card', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hold', to='giftcards.giftcard')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('attempt_id', 'account'), name='giftcards_hold_once_an_account'), models.CheckConstraint(condition=models.Q(models.Q(('account__isnull', False), ('card', None)), models.Q(('account', None), ('card__isnull', False)), _connector='OR'), name='giftcards_hold_source'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='giftcards_hold_amount')],
                },
            ),
        ]),
        migrations.RunPython(_install, _remove),
    ]
