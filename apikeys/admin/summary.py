"""The figures of API keys on the dashboard."""

from django.db.models import Count
from django.urls import reverse

from apikeys.admin.key_states import has_ended
from apikeys.models import ApiKey
from kit.admin.pages.dashboard import Figure, Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor


@panel
def keys_panel(actor: Actor) -> Panel | None:
    """How many keys are active and revoked."""
    if not actor.may("apikeys.view_apikey"):
        return None
    rows = ApiKey.objects.visible_to(actor)
    counts = rows.aggregate(active=Count("pk", filter=~has_ended()), revoked=Count("pk", filter=has_ended()))
    address = reverse("admin:apikeys_apikey_changelist")
    return Panel(
        section=Section.SETTINGS,
        title="API keys",
        figures=(
            Figure(counts["active"], "active", f"{address}?state=active"),
            Figure(counts["revoked"], "revoked", f"{address}?state=revoked"),
        ),
    )
