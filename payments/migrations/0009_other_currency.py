"""Collections note whether they hold money in another currency, so that staff find them without comparing all."""

from django.db import migrations, models
from django.db.models import Exists, F, OuterRef


def note(apps, schema_editor):
    alias = schema_editor.connection.alias
    payments = apps.get_model("payments", "Payment").objects.using(alias)
    of_another = payments.filter(collection=OuterRef("pk"), captured_amount__gt=F("refunded_amount"))
    of_another = of_another.exclude(currency=OuterRef("currency"))
    collections = apps.get_model("payments", "PaymentCollection").objects.using(alias)
    collections.filter(Exists(of_another)).update(has_other_currency=True)


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0008_refused_intents'),
    ]

    operations = [
        migrations.AddField(
            model_name='paymentcollection',
            name='has_other_currency',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(note, migrations.RunPython.noop, elidable=True),
    ]
