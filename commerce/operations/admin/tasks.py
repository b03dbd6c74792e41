"""The screens of background tasks."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.sections import Section

admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class TaskAdmin(ReadOnlyAdmin[DBTaskResult[..., object]]):
    """Background tasks and how they ended."""

    section = Section.OPERATION
    icon = "schedule"
    menu_title = "Background tasks"

    list_display = ("task_name", "status", "enqueued_at", "started_at", "finished_at")
    list_filter = ("status",)
    ordering = ("-enqueued_at",)
    fields = (
        "id",
        "task_name",
        "status",
        "enqueued_at",
        "started_at",
        "finished_at",
        "exception_class_path",
        "traceback",
    )
