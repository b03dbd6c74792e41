"""Tasks that were queued before commerce.jobs became commerce.kit.jobs run under the new path."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OLD, NEW = "commerce.jobs.turns.take_turn", "commerce.kit.jobs.turns.take_turn"


def move(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, OLD, NEW)


def move_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, NEW, OLD)


def _rename(apps: Apps, path: str, renamed: str) -> None:
    apps.get_model("django_tasks_database", "DBTaskResult").objects.filter(task_path=path).update(task_path=renamed)


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial"), ("django_tasks_database", "0018_rename_succeeded_status")]
    operations = [migrations.RunPython(move, move_back)]
