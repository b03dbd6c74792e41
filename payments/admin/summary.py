"""Payments on the admin's overview."""

from django.urls import reverse

from kit.admin.pages.dashboard import Panel, counted, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from payments.admin.needs_attention import needing_attention
from payments.admin.payment_admin import VIEW
from payments.models import PaymentCollection
from payments.states import CollectionStatus


@panel(VIEW)
def payments_panel(actor: Actor) -> Panel:
    """The numbers of collections to capture and of those that need attention. Two statements."""
    collections = PaymentCollection.objects.visible_to(actor)
    authorized = collections.filter(status=CollectionStatus.AUTHORIZED)
    address = reverse("admin:payments_paymentcollection_changelist")
    return Panel(
        section=Section.PAYMENTS,
        title="Payments",
        figures=(
            counted(authorized, "to capture", f"{address}?status__exact=authorized"),
            counted(collections.filter(needing_attention()), "need attention", f"{address}?look=yes"),
        ),
    )
