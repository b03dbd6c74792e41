"""The screens of background tasks."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.task_acknowledgement import IS_ACKNOWLEDGED, acknowledge_task, unacknowledged_failures
from commerce.operations.tasks.task_retries import retry_task
from kit.admin.actions.bulk_action import bulk_action, row_button
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.values.shown_dates import shown_moment

Task = DBTaskResult[..., object]

admin.site.unregister(DBTaskResult)


def _name(task: Any) -> str:
    return str(task.task_path.rpartition(".")[2])


DBTaskResult.__str__ = _name  # type: ignore[method-assign]  # its app gives it none


class FailureFilter(admin.SimpleListFilter):
    """Failures that somebody has acknowledged, or those that nobody has."""

    title = "failures"
    parameter_name = "failures"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("open", "Not acknowledged"), ("acknowledged", "Acknowledged")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Task]) -> QuerySet[Task]:
        if self.value() == "open":
            return queryset & unacknowledged_failures()
        return queryset.filter(IS_ACKNOWLEDGED) if self.value() == "acknowledged" else queryset


@admin.register(DBTaskResult)
class TaskAdmin(ReadOnlyAdmin[Task]):
    """Background tasks and how they ended."""

    section = Section.OPERATION
    icon = "schedule"
    nothing_yet = "What the server does in the background, such as sending an email, appears here."
    menu_title = "Background tasks"

    list_display = ("task_name", "state", "enqueued_at", "started_at", "finished_at")
    list_filter = ("status", FailureFilter)
    ordering = ("-enqueued_at",)
    actions = ("retry_selected", "acknowledge_selected")
    actions_detail = ("retry", "acknowledge")
    fields = (
        "id",
        "task_name",
        "state",
        "acknowledgements",
        "enqueued_at",
        "started_at",
        "finished_at",
        "exception_class_path",
        "traceback",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        rows: QuerySet[Task] = super().get_queryset(request)
        return rows.annotate(is_acknowledged=IS_ACKNOWLEDGED)

    @label_column(
        description="Status",
        colours={"Failed": "danger", "Acknowledged failure": "warning", "Running": "info", "Successful": "success"},
    )
    def state(self, row: Any) -> str:
        return "Acknowledged failure" if row.is_acknowledged else str(row.get_status_display())

    @admin.display(description="Acknowledged")
    def acknowledgements(self, row: Any) -> SafeString | str:
        """By whom and when, also of failures before a retry."""
        seen = row.acknowledgements.select_related("by").order_by("pk")
        lines = ((shown_moment(each.created_at), each.by or "command") for each in seen)
        return format_html_join("\n", "<div>{} by {}</div>", lines) or "—"

    # --- Retrying ----------------------------------------------------------------------------------------------------

    def has_retry_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may(
            "django_tasks_database.change_dbtaskresult"
        )

    def offers_action(self, request: HttpRequest, row: Any, name: str) -> bool:
        return row.status == TaskResultStatus.FAILED and not (name == "acknowledge" and row.is_acknowledged)

    def retry_chosen(self, request: HttpRequest, row: Task) -> None:
        """Queue one failed task again."""
        retry_task(actor=request_actor(request), task_id=row.pk)

    retry_selected = bulk_action(
        "retry_chosen",
        name="retry_selected",
        description="Retry selected tasks",
        question="Retry these tasks?",
        participle="queued again",
        note="A task whose work is already done does nothing.",
        permission="retry",
    )
    retry = row_button("retry", retry_selected, description="Retry", icon="replay")

    # --- Acknowledging -----------------------------------------------------------------------------------------------

    def has_acknowledge_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.has_view_permission(request) and request_actor(request).may("jobs.add_taskacknowledgement")

    def acknowledge_chosen(self, request: HttpRequest, row: Task) -> None:
        """Acknowledge one failed task."""
        acknowledge_task(actor=request_actor(request), task_id=row.pk)

    acknowledge_selected = bulk_action(
        "acknowledge_chosen",
        name="acknowledge_selected",
        description="Acknowledge selected tasks",
        question="Acknowledge these failures?",
        participle="acknowledged",
        note="Metrics and alerts count them no longer. The tasks are not run again.",
        permission="acknowledge",
    )
    acknowledge = row_button("acknowledge", acknowledge_selected, description="Acknowledge", icon="done")
