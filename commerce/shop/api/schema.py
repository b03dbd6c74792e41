"""Regions, currencies and locales in GraphQL."""

from collections.abc import Mapping

from commerce.kit.graphql.context import RequestContext
from commerce.kit.graphql.mutations import Action
from commerce.kit.graphql.reads import ListField, SingleField
from commerce.shop.api import resources
from commerce.shop.api.serializers import LocaleListSerializer


def _locales(context: RequestContext) -> Mapping[str, object]:
    """None: the shop has one language. Raises AuthenticationRequired without access to the store."""
    context.actor(None)
    return {"locales": []}


QUERIES = {
    "regions": ListField(resources.REGIONS, "Regions, which are countries that share a currency."),
    "region": SingleField(resources.REGIONS, "One region."),
    "currencies": ListField(resources.CURRENCIES, "The currencies of prices."),
    "currency": SingleField(resources.CURRENCIES, "One currency."),
    "locales": Action(
        LocaleListSerializer, "The languages of translations.", act=_locales, accepts_idempotency_key=False
    ),
}
