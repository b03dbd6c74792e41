"""Regions and currencies in GraphQL."""

from commerce.kit.graphql.reads import ListField, SingleField
from commerce.shop.api import resources

QUERIES = {
    "regions": ListField(resources.REGIONS, "Regions, which are countries that share a currency."),
    "region": SingleField(resources.REGIONS, "One region."),
    "currencies": ListField(resources.CURRENCIES, "The currencies of prices."),
    "currency": SingleField(resources.CURRENCIES, "One currency."),
}
