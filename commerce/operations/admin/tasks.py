"""The screens of background tasks."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.task_retries import retry_task
from kit.admin.actions.confirmation import perform_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.verb_actions import Outcome
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section

Task = DBTaskResult[..., object]
RETRIED = Outcome("queued again")

admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class TaskAdmin(ReadOnlyAdmin[Task]):
    """Background tasks and how they ended."""

    section = Section.OPERATION
    icon = "schedule"
    nothing_yet = "What the server does in the background, such as sending an email, appears here."
    menu_title = "Background tasks"

    list_display = ("task_name", "status", "enqueued_at", "started_at", "finished_at")
    list_filter = ("status",)
    ordering = ("-enqueued_at",)
    actions = ("retry_selected",)
    actions_detail = ("retry",)
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

    # --- Retrying ----------------------------------------------------------------------------------------------------

    def has_retry_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may(
            "django_tasks_database.change_dbtaskresult"
        )

    def offers_actions(self, request: HttpRequest, row: Task) -> bool:
        return row.status == TaskResultStatus.FAILED

    def retry_chosen(self, request: HttpRequest, row: Task) -> None:
        """Queue one failed task again."""
        retry_task(actor=request_actor(request), task_id=row.pk)

    @admin.action(description="Retry selected tasks", permissions=["retry"])
    def retry_selected(self, request: HttpRequest, queryset: QuerySet[Task]) -> HttpResponse | None:
        return perform_confirmed(
            self,
            request,
            queryset,
            self.retry_chosen,
            RETRIED,
            action="retry_selected",
            question="Retry these tasks?",
            note="A task whose work is already done does nothing.",
        )

    @row_action(description="Retry", icon="replay")
    def retry(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.on_row(request, object_id, self.retry_selected)
