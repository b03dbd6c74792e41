"""How webhook endpoints are doing: the filter of their list, and the panel of the first page."""

from urllib.parse import urlencode

from django.contrib.admin import SimpleListFilter
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.pages.dashboard import Figure, Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.messages.webhooks.models import WebhookAddress

_STATES = {
    "active": Q(disabled_at=None, failing_since=None),
    "failing": Q(disabled_at=None, failing_since__isnull=False),
    "disabled": Q(disabled_at__isnull=False),
}


class StateFilter(SimpleListFilter):
    """Active, failing or disabled."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(state, state.capitalize()) for state in _STATES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[WebhookAddress]) -> QuerySet[WebhookAddress]:
        return queryset.filter(_STATES.get(self.value() or "", Q()))


@panel
def webhooks_panel(actor: Actor) -> Panel | None:
    """How many endpoints are active, failing and disabled, if there are any."""
    if not actor.may("webhooks.view_webhookaddress"):
        return None
    rows = WebhookAddress.objects.visible_to(actor)
    counts = rows.aggregate(**{state: Count("pk", filter=condition) for state, condition in _STATES.items()})
    if not any(counts.values()):
        return None
    address = reverse("admin:webhooks_webhookaddress_changelist")
    return Panel(
        section=Section.OPERATION,
        title="Webhooks",
        figures=tuple(
            Figure(counts[state], state, f"{address}?{urlencode({StateFilter.parameter_name: state})}")
            for state in _STATES
        ),
    )
