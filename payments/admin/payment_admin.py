"""The base of the payment screens."""

from django.contrib.admin.utils import quote
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from carts.admin.order_links import ORDERS_BY_NUMBER
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import Stored, VerbAdmin
from kit.admin.sections import Section

VIEW = "payments.view_paymentcollection"
"""Users who may view collections may view their sessions and payments, as in `visible_to`."""


class PaymentScreen(VerbAdmin[Stored]):
    """Rows that change only through requests to providers.

    Provider data may hold secrets of the shopper's payment: no screen shows it, and no list can be filtered by it.
    """

    section = Section.PAYMENTS
    forbids = frozenset({"add", "change", "delete"})
    unreadable = frozenset({"data", "context"})
    actions = ()

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Users with a change permission only may not view: Django would let them."""
        return request_actor(request).may(VIEW)

    def search(
        self, request: HttpRequest, queryset: QuerySet[Stored], search_term: str
    ) -> tuple[QuerySet[Stored], bool]:
        """An email address finds what was paid for carts with it, and a number what was paid for the order."""
        word = search_term.strip()
        if "@" in word:
            return queryset.filter(collection__cart__email=word.lower()), False
        if word and (orders := ORDERS_BY_NUMBER.get()(word)):
            return queryset.filter(collection__order_id__in=orders), False
        return super().search(request, queryset, search_term)

    def may_act(self, request: HttpRequest, permission: str) -> bool:
        """Whether the user sees a button, which takes the permission to view the row too."""
        return self.has_view_permission(request) and request_actor(request).may(permission)


def collection_address(collection_id: str) -> str:
    """The URL of a collection's screen."""
    return reverse("admin:payments_paymentcollection_change", args=[quote(collection_id)])
