"""Payment resources, for every transport."""

from collections.abc import Mapping
from dataclasses import replace

from django.conf import settings

from kit.domain.actor import Actor
from kit.query.conditions import Every, Is
from kit.query.selection import Selection
from kit.reads.filters.filtering import Searching
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery, read_one
from kit.reads.resources import Resource
from kit.values.text import is_storable
from payments.api.filters import (
    AdminPaymentProviderFilters,
    PaymentCollectionFilters,
    PaymentFilters,
    PaymentProviderFilters,
    RefundReasonFilters,
)
from payments.api.serializers import (
    AdminPaymentCollectionSerializer,
    AdminPaymentProviderSerializer,
    AdminPaymentSerializer,
    OfferedProviderSerializer,
    PaymentCollectionSerializer,
    RefundReasonSerializer,
)


class PaymentProviderResource(Resource):
    """The providers that settings.PAYMENT_PROVIDERS names."""

    def list_query(
        self, parameters: Mapping[str, object], selection: Selection | None = None, searching: Searching | None = None
    ) -> ListQuery:
        query = super().list_query(parameters, selection, searching)
        known = Is("id__in", tuple(sorted(settings.PAYMENT_PROVIDERS)))
        return replace(query, condition=Every((query.condition, known)))


PAYMENT_PROVIDERS = PaymentProviderResource(
    name="payment_provider",
    plural="payment_providers",
    serializer_class=OfferedProviderSerializer,
    filterset_class=PaymentProviderFilters,
    default_limit=20,
)
ADMIN_PAYMENT_PROVIDERS = replace(
    PAYMENT_PROVIDERS, serializer_class=AdminPaymentProviderSerializer, filterset_class=AdminPaymentProviderFilters
)


class PaymentCollectionResource(Resource):
    """A collection can also be read by its cart."""

    def of_cart(self, cart_id: str, query: ListQuery, actor: Actor) -> Answer | None:
        """The collection of a cart whose id the actor knows, or None; None for a draft, also once it has an order."""
        if not is_storable(cart_id):
            return None
        shown = replace(query, condition=Is("cart__is_draft", False))
        return read_one(self.serializer_class, cart_id, shown, actor, by="cart_id")


PAYMENT_COLLECTIONS = PaymentCollectionResource(
    name="payment_collection",
    plural="payment_collections",
    serializer_class=PaymentCollectionSerializer,
    filterset_class=PaymentCollectionFilters,
    default_limit=20,
    defaults="*payment_sessions",
)
ADMIN_PAYMENT_COLLECTIONS = replace(
    PAYMENT_COLLECTIONS,
    serializer_class=AdminPaymentCollectionSerializer,
    defaults="*payment_sessions,*payment_providers",
)
PAYMENTS = Resource(
    name="payment",
    plural="payments",
    serializer_class=AdminPaymentSerializer,
    filterset_class=PaymentFilters,
    default_limit=20,
    defaults="*captures,*refunds,*refunds.refund_reason",
)
REFUND_REASONS = Resource(
    name="refund_reason",
    plural="refund_reasons",
    serializer_class=RefundReasonSerializer,
    filterset_class=RefundReasonFilters,
    default_limit=20,
)
