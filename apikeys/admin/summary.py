"""The figures of API keys on the dashboard."""

from apikeys.admin.key_states import has_ended
from apikeys.models import ApiKey
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor


@panel("apikeys.view_apikey")
def keys_panel(actor: Actor) -> Panel:
    """How many keys are active and revoked."""
    rows = ApiKey.objects.visible_to(actor)
    figures = {"active": (~has_ended(), "state=active"), "revoked": (has_ended(), "state=revoked")}
    return Panel(section=Section.SETTINGS, title="API keys", figures=counted_each(rows, figures))
