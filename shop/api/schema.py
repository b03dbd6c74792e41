"""Regions, currencies and locales in GraphQL."""

from collections.abc import Mapping

from kit.graphql.context import RequestContext
from kit.graphql.fields.mutations import Action
from kit.graphql.fields.reads import catalogue_list, catalogue_single
from shop.api import admin, resources
from shop.api.serializers import LocaleListSerializer


def _locales(context: RequestContext) -> Mapping[str, object]:
    """None: the shop has one language. Raises AuthenticationRequired without access to the store."""
    context.actor(None)
    return {"locales": []}


QUERIES = {
    "regions": catalogue_list(resources.REGIONS, "Regions, which are countries that share a currency."),
    "region": catalogue_single(resources.REGIONS, "One region."),
    "currencies": catalogue_list(resources.CURRENCIES, "The currencies of prices."),
    "currency": catalogue_single(resources.CURRENCIES, "One currency."),
    "locales": Action(
        LocaleListSerializer, "The languages of translations.", act=_locales, accepts_idempotency_key=False
    ),
    **admin.QUERIES,
}
MUTATIONS = admin.MUTATIONS
