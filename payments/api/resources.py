"""Payments, as every transport reads them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings

from commerce.core.conditions import Every, Is
from commerce.core.filtering import Searching
from commerce.core.filters import Refused
from commerce.core.selection import Selection
from commerce.projection.reading import ListQuery
from commerce.projection.resources import Resource
from payments.api.filters import PaymentCollectionFilters, PaymentProviderFilters
from payments.api.serializers import OfferedProviderSerializer, PaymentCollectionSerializer


class PaymentProviderResource(Resource):
    """Those of one region that settings name."""

    def list_query(
        self, parameters: Mapping[str, Any], selection: Selection | None = None, searching: Searching | None = None
    ) -> ListQuery:
        """Raises Refused where no region is named."""
        if "region_id" not in parameters:
            raise Refused("Field 'region_id' is required")
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
PAYMENT_COLLECTIONS = Resource(
    name="payment_collection",
    plural="payment_collections",
    serializer_class=PaymentCollectionSerializer,
    filterset_class=PaymentCollectionFilters,
    default_limit=20,
    defaults="*payment_sessions",
)
