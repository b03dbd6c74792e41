"""The catalogue in GraphQL."""

from catalog.api import resources
from commerce.kit.graphql.reads import ListField, SingleField

QUERIES = {
    "product_categories": ListField(resources.PRODUCT_CATEGORIES, "Categories that the store shows."),
    "product_category": SingleField(resources.PRODUCT_CATEGORIES, "One category."),
    "products": ListField(resources.PRODUCTS, "Published products of the request's sales channels."),
    "product": SingleField(resources.PRODUCTS, "One product."),
    "product_variants": ListField(resources.PRODUCT_VARIANTS, "Variants of products that the store shows."),
    "product_variant": SingleField(resources.PRODUCT_VARIANTS, "One variant."),
    "collections": ListField(resources.COLLECTIONS, "Collections of products."),
    "collection": SingleField(resources.COLLECTIONS, "One collection."),
    "product_types": ListField(resources.PRODUCT_TYPES, "Types of products."),
    "product_type": SingleField(resources.PRODUCT_TYPES, "One type."),
    "product_tags": ListField(resources.PRODUCT_TAGS, "Tags of products."),
    "product_tag": SingleField(resources.PRODUCT_TAGS, "One tag."),
    "product_options": ListField(resources.PRODUCT_OPTIONS, "Options of products, such as sizes."),
    "product_option": SingleField(resources.PRODUCT_OPTIONS, "One option."),
}
