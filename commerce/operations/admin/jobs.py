"""The screens of jobs: progress and result. Everybody sees their own jobs."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.core.paginator import Paginator
from django.db.models import Case, Count, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.verb_actions import BACK
from kit.admin.lists.label_column import label_column
from kit.admin.lists.row_link import may_open, row_link
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.jobs.endings import JobIsOver, cancel
from kit.jobs.kinds import SINGLE_STEP_JOBS
from kit.jobs.models import Job
from kit.jobs.states import UNFINISHED, RowStatus
from kit.values.shown_dates import shown_moment
from orders.models import Order

ROWS_A_PAGE = 100
_WORST_FIRST = Case(*(When(status=status, then=place) for place, status in enumerate(RowStatus)))


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin[Job]):
    """Jobs, the newest first."""

    section = Section.OPERATION
    icon = "checklist"
    nothing_yet = "Work on many orders, an action on more than 200 rows, and an export run as jobs and appear here."
    change_form_before_template = "jobs/progress.html"
    change_form_outer_after_template = "jobs/refusals.html"

    list_display = ("title", "started_by", "state", "progress", "created_at", "finished_at")
    list_filter = ("status",)
    list_select_related = ("actor",)
    search_fields = ("title", "actor__email", "=id")
    search_help_text = "Title, id, or the email of the person who started it"
    actions_detail = ("cancel",)
    fields = ("started_by", "created_at", "started_at", "finished_at", "kept_until", "id")

    # --- Permissions -------------------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        rows: QuerySet[Job] = super().get_queryset(request)
        return rows.filter(_visible_to(request_actor(request)))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """The sidebar lists the screen for staff who may view all jobs; others reach it from their own jobs."""
        return request_actor(request).may("jobs.view_job")

    def has_view_permission(self, request: HttpRequest, obj: Job | None = None) -> bool:
        if request_actor(request).may("jobs.view_job"):
            return True
        return self.get_queryset(request).exists() if obj is None else obj.actor_id == request.user.pk

    def has_cancel_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        if request_actor(request).may("jobs.change_job"):
            return True
        job = self.get_object(request, unquote(object_id or ""))
        return job is not None and job.actor_id == request.user.pk

    # --- Pages -------------------------------------------------------------------------------------------------------

    @admin.display(description="By", ordering="actor__email")
    def started_by(self, row: Job) -> str:
        """Plain text, since not every user may open the account."""
        return str(row.actor)

    @admin.display(description="Kept until")
    def kept_until(self, row: Job) -> str | None:
        """How long this row is kept; the file of an export is deleted earlier."""
        return row.expires_at and shown_moment(row.expires_at)

    @label_column(
        description="Status", colours={"running": "info", "done": "success", "failed": "danger", "canceled": "warning"}
    )
    def state(self, row: Job) -> str:
        return row.status

    @admin.display(description="Progress")
    def progress(self, row: Job) -> str:
        refused = f", {row.refused} refused" if row.refused else ""
        return f"{row.done} of {row.total}{refused}"

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: object, **kwargs: object
    ) -> HttpResponse:
        job = context["original"]
        refusals = Paginator(job.refusals.all(), ROWS_A_PAGE).get_page(request.GET.get("refusals"))
        results = Paginator(job.results.order_by(_WORST_FIRST, "pk"), ROWS_A_PAGE).get_page(request.GET.get("results"))
        opens_orders = may_open(request, Order)  # which results are about
        for row in results:
            row.link = (
                row_link("orders_order_change", row.about, row.label) if row.about and opens_orders else row.label
            )
        kind, back = SINGLE_STEP_JOBS.get().get(job.kind), request.GET.get(BACK, "")
        shown = {
            "refusals": refusals,
            "results": results,
            "counts": dict(job.results.order_by().values_list("status").annotate(Count("pk"))),
            "is_single_step": kind is not None,
            "is_discarded": kind is not None and kind.discard is not None,
            "result": kind and kind.result(job, request_actor(request)),
            "list_address": back if back.startswith(reverse("admin:index")) else "",
        }
        response: HttpResponse = super().render_change_form(request, {**context, **shown}, *args, **kwargs)
        return response

    # --- Canceling ---------------------------------------------------------------------------------------------------

    def offers_actions(self, request: HttpRequest, row: Job) -> bool:
        """Whether the job is unfinished, and so can be canceled."""
        return not row.is_over

    @row_action(description="Cancel", icon="cancel")
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        job = self.get_object_or_404(request, object_id)
        if not is_confirmed(request):
            rows = self.get_queryset(request).filter(pk=job.pk)
            note = "It stops before the next row. Finished rows are not undone."
            if (kind := SINGLE_STEP_JOBS.get().get(job.kind)) and kind.discard:
                note = "It stops, and its work so far is discarded."
            return ask(self, request, rows, action="", question="Cancel this job?", note=note)
        try:
            cancel(job)
        except JobIsOver as refusal:
            self.message_user(request, refusal.message, "ERROR")
        else:
            self.log_change(request, job, "Canceled.")
        return redirect("admin:jobs_job_change", quote(job.pk))


@panel()
def jobs_panel(actor: Actor) -> Panel | None:
    """The jobs that the user may see, if there are any."""
    unfinished = Q(status__in=UNFINISHED)
    conditions = {"queued or running": (unfinished, ""), "over": (~unfinished, "")}
    figures = counted_each(Job.objects.filter(_visible_to(actor)), conditions)
    if not any(figure.count for figure in figures):
        return None
    return Panel(section=Section.OPERATION, title="Jobs", figures=figures)


def _visible_to(actor: Actor) -> Q:
    return Q() if actor.may("jobs.view_job") else Q(actor=actor.id)
