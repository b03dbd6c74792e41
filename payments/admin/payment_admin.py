"""What the screens of payments have in common."""

from typing import ClassVar

from django.contrib.admin.utils import quote
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from commerce.kit.admin.read_only_admin import ReadOnlyAdmin
from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.sections import Section
from commerce.kit.admin.verb_admin import Stored, VerbAdmin

VIEW = "payments.view_paymentcollection"
"""Who may look at collections sees all that belongs to them, as by the rows' own rule."""


class PaymentScreen(ReadOnlyAdmin[Stored], VerbAdmin[Stored]):
    """Rows that change by what is asked of providers, and by nothing else.

    What providers keep with a session may hold secrets of the shopper's payment: no screen shows it, and no list can be
    narrowed by it.
    """

    section = Section.PAYMENTS
    unreadable = frozenset({"data", "context"})
    ordering: ClassVar[tuple[str, ...]] = ("-created_at", "-id")
    show_full_result_count = False
    actions = ()

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Not whoever may only act: Django would let those look on as well."""
        return request_actor(request).may(VIEW)

    def may_act(self, request: HttpRequest, permission: str) -> bool:
        """Whether a button is for the user, who has to see what it is about."""
        return self.has_view_permission(request) and request_actor(request).may(permission)


def collection_address(collection_id: str) -> str:
    """Where all that became of a collection is shown."""
    return reverse("admin:payments_paymentcollection_change", args=[quote(collection_id)])
