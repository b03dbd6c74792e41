"""The history of a row is found by the row. The table is Django's, which has no such index."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('staff', '0001_initial'),
    ]

    operations = [
        # By id first: the pages of a row name its kind, too, an erasure names ids alone.
        migrations.RunSQL(
            "CREATE INDEX IF NOT EXISTS commerce_admin_log_object ON django_admin_log (object_id, content_type_id)",
            "DROP INDEX IF EXISTS commerce_admin_log_object",
        ),
    ]
