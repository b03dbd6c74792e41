"""Requests for a new password have a table, and their mails go the way of all others: those still queued, too."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import kit.values.ids
import kit.values.timestamps

TASK = "commerce.auth.password_reset.send_reset_mail"


def move(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    tasks = apps.get_model("django_tasks_database", "DBTaskResult").objects.filter(task_path=TASK, status="READY")
    for task in tasks:
        given = task.args_kwargs["kwargs"]
        request = apps.get_model("commerce_auth", "PasswordReset").objects.create(
            actor_type=given["actor_type"], email=given["email"]
        )
        apps.get_model("mails", "Mail").objects.create(
            kind="password_reset", about=request.pk, request_id=given.get("request_id") or ""
        )
    tasks.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("commerce_auth", "0002_known_address"),
        ("django_tasks_database", "0018_rename_succeeded_status"),
        ("mails", "0001_initial"),
    ]
    operations = [
        migrations.CreateModel(
            name='PasswordReset',
            fields=[
                ('id', kit.values.ids.IdField(prefix='pwreset', serialize=False)),
                ('actor_type', models.CharField(max_length=16)),
                ('email', models.TextField()),
                ('created_at', kit.values.timestamps.TimestampField(db_index=True, default=kit.values.timestamps.now)),
            ],
        ),
        migrations.RunPython(move, migrations.RunPython.noop),
    ]
