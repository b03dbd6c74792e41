"""Holds of gift cards and store credit, with the triggers that keep what cards and accounts say of them."""

from typing import Any

import kit.values.ids
import kit.values.money
import kit.values.timestamps
import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

from giftcards import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('giftcards', '0003_entries_by_moment'),
    ]

    operations = [
        migrations.RunPython(_remove, _install),
        migrations.CreateModel(
            name='CreditHold',
            fields=[
                ('id', kit.values.ids.IdField(prefix='sc_hold', serialize=False)),
                ('attempt_id', models.CharField(max_length=64)),
                ('amount', kit.values.money.MoneyField()),
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
            ],
        ),
        migrations.AddField(
            model_name='giftcard',
            name='held_by',
            field=models.CharField(blank=True, editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='storecreditaccount',
            name='held',
            field=kit.values.money.MoneyField(default=0, editable=False),
        ),
        migrations.AddConstraint(
            model_name='giftcard',
            constraint=models.CheckConstraint(condition=models.Q(('held_by', None), ('status', 'pending'), _connector='OR'), name='giftcards_card_held_pending'),
        ),
        migrations.AddConstraint(
            model_name='storecreditaccount',
            constraint=models.CheckConstraint(condition=models.Q(('held__gte', 0), ('held__lte', django.db.models.expressions.CombinedExpression(models.F('credits'), '-', models.F('debits')))), name='giftcards_account_held'),
        ),
        migrations.AddField(
            model_name='credithold',
            name='account',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='holds', to='giftcards.storecreditaccount'),
        ),
        migrations.AddField(
            model_name='credithold',
            name='card',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hold', to='giftcards.giftcard'),
        ),
        migrations.AddConstraint(
            model_name='credithold',
            constraint=models.UniqueConstraint(fields=('attempt_id', 'account'), name='giftcards_hold_once_an_account'),
        ),
        migrations.AddConstraint(
            model_name='credithold',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('account__isnull', False), ('card', None)), models.Q(('account', None), ('card__isnull', False)), _connector='OR'), name='giftcards_hold_source'),
        ),
        migrations.AddConstraint(
            model_name='credithold',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='giftcards_hold_amount'),
        ),
        migrations.RunPython(_install, _remove),
    ]
