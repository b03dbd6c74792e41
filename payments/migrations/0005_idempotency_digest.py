"""Intent.key_mark is called idempotency_digest; the column keeps its name.

Tasks of the renamed function keep running.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OLD, NEW = "payments.intents.take_up", "payments.intents.resume"


def move(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, OLD, NEW)


def move_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, NEW, OLD)


def _rename(apps: Apps, path: str, renamed: str) -> None:
    apps.get_model("django_tasks_database", "DBTaskResult").objects.filter(task_path=path).update(task_path=renamed)


class Migration(migrations.Migration):
    dependencies = [("payments", "0004_claimed_at"), ("django_tasks_database", "0018_rename_succeeded_status")]
    operations = [
        migrations.RunPython(move, move_back),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("intent", "payments_intent_key_once"),
                migrations.AlterField(
                    "intent", "key_mark", models.CharField(blank=True, db_column="key_mark", max_length=64, null=True)
                ),
                migrations.RenameField("intent", "key_mark", "idempotency_digest"),
                migrations.AddConstraint(
                    "intent",
                    models.UniqueConstraint(fields=("idempotency_digest",), name="payments_intent_key_once"),
                ),
            ]
        ),
    ]
