"""The catalogue in GraphQL."""

from catalog.api.resources import PRODUCT_CATEGORIES
from commerce.graphql.reads import ListField, SingleField

QUERIES = {
    "product_categories": ListField(PRODUCT_CATEGORIES, "The catalogue's categories, as far as the store shows them."),
    "product_category": SingleField(PRODUCT_CATEGORIES, "One category."),
}
