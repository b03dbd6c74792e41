"""An index of refused captures and refunds, which staff have to look at."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0007_returned_money'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='intent',
            index=models.Index(condition=models.Q(('act__in', ['capture', 'refund']), ('result', 'refused')), fields=['session'], name='payments_intent_refused'),
        ),
    ]
