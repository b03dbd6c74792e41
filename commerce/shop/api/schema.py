"""Regions, currencies and locales in GraphQL."""

from commerce.kit.graphql.mutations import Action
from commerce.kit.graphql.reads import ListField, SingleField
from commerce.shop.api import resources
from commerce.shop.api.locales import LocaleListSerializer, find_locales

QUERIES = {
    "regions": ListField(resources.REGIONS, "Regions, which are countries that share a currency."),
    "region": SingleField(resources.REGIONS, "One region."),
    "currencies": ListField(resources.CURRENCIES, "The currencies of prices."),
    "currency": SingleField(resources.CURRENCIES, "One currency."),
    "locales": Action(
        LocaleListSerializer, "The languages of translations.", act=find_locales, accepts_idempotency_key=False
    ),
}
