"""Payments on the admin's overview."""

from django.db.models import Count, Q
from django.urls import reverse

from commerce.kit.admin.dashboard import Figure, Panel, panel
from commerce.kit.admin.sections import Section
from commerce.kit.core.actor import Actor
from payments.admin.needs_attention import needing_attention
from payments.admin.payment_admin import VIEW
from payments.models import PaymentCollection
from payments.states import CollectionStatus


@panel
def payments_panel(actor: Actor) -> Panel | None:
    """The numbers of collections to capture and of those that need attention."""
    if not actor.may(VIEW):
        return None
    counts = PaymentCollection.objects.visible_to(actor).aggregate(
        authorized=Count("pk", filter=Q(status=CollectionStatus.AUTHORIZED)),
        look=Count("pk", filter=needing_attention()),
    )
    rows = reverse("admin:payments_paymentcollection_changelist")
    return Panel(
        section=Section.PAYMENTS,
        title="Payments",
        figures=(
            Figure(counts["authorized"], "to capture", f"{rows}?status__exact=authorized"),
            Figure(counts["look"], "need attention", f"{rows}?look=yes"),
        ),
    )
