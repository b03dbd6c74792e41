"""Requests that change the amount of a session."""

from django.db import migrations, models

from kit.database.large_tables import ReplaceConstraintWhileServing


class Migration(migrations.Migration):

    # The constraint is validated while the shop takes payments.
    atomic = False

    dependencies = [
        ('payments', '0010_collections_to_look_at'),
    ]

    operations = [
        migrations.AlterField(
            model_name='intent',
            name='act',
            field=models.CharField(choices=[('start', 'Start'), ('authorize', 'Authorize'), ('capture', 'Capture'), ('refund', 'Refund'), ('cancel', 'Cancel'), ('update', 'Update')], max_length=16),
        ),
        ReplaceConstraintWhileServing(
            model_name='intent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('act__in', ['capture', 'refund', 'update']), ('amount__gt', 0), ('amount__isnull', False)), models.Q(('act__in', ['start', 'authorize', 'cancel']), ('amount', None)), _connector='OR'), name='payments_intent_amount'),
        ),
    ]
