"""How webhook endpoints are doing: the filter of their list, and the panel of the first page."""

from collections.abc import Mapping

from django.db.models import Q

from kit.admin.lists.condition_filter import ConditionFilter
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.messages.webhooks.models import WebhookAddress

_STATES = {
    "active": Q(disabled_at=None, failing_since=None),
    "failing": Q(disabled_at=None, failing_since__isnull=False),
    "disabled": Q(disabled_at__isnull=False),
}


class StateFilter(ConditionFilter):
    """Active, failing or disabled."""

    title = parameter_name = "state"

    def conditions(self) -> Mapping[str, Q]:
        return _STATES


@panel("webhooks.view_webhookaddress")
def webhooks_panel(actor: Actor) -> Panel | None:
    """How many endpoints are active, failing and disabled, if there are any."""
    states = {state: (condition, f"{StateFilter.parameter_name}={state}") for state, condition in _STATES.items()}
    figures = counted_each(WebhookAddress.objects.visible_to(actor), states)
    if not any(figure.count for figure in figures):
        return None
    return Panel(section=Section.OPERATION, title="Webhooks", figures=figures)
