"""Active and revoked keys: the filter of their list, and the panel of the first page."""

from collections.abc import Mapping

from django.db.models import Q

from apikeys.models import ApiKey
from kit.admin.lists.condition_filter import ConditionFilter
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from kit.values.timestamps import now


def has_ended() -> Q:
    """Matches revoked keys; a revocation in the future has not happened yet."""
    return Q(revoked_at__lte=now())


class StateFilter(ConditionFilter):
    """Active or revoked."""

    title = parameter_name = "state"

    def conditions(self) -> Mapping[str, Q]:
        return {"active": ~has_ended(), "revoked": has_ended()}


@panel("apikeys.view_apikey")
def keys_panel(actor: Actor) -> Panel:
    """How many keys are active and revoked."""
    rows = ApiKey.objects.visible_to(actor)
    figures = {"active": (~has_ended(), "state=active"), "revoked": (has_ended(), "state=revoked")}
    return Panel(section=Section.SETTINGS, title="API keys", figures=counted_each(rows, figures))
