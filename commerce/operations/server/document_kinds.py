"""Classifies GraphQL documents by their expected cost, from their words.

The sender of a document is unknown before it runs, so documents of secret keys are classified like all others.
"""

import re
from collections.abc import Sequence

from django.conf import settings

from kit.server.lanes import Kind

MANY_OF_PRODUCT = frozenset(("variants", "options", "images", "tags", "categories"))
"""Relations of which a product may have many rows."""
_LONGEST_CHEAP_DOCUMENT = 4000
_MOST_LISTS = 8
_WORDS = re.compile(rb"\\.|(\w+)").findall  # the n of `\\n` in a JSON text belongs to no word
_HASHING_FIELDS = frozenset((b"login", b"register", b"updatePassword"))
_PROVIDER_FIELDS = frozenset(
    (
        b"createPaymentSession",
        b"capturePayment",
        b"refundPayment",
        b"createOrderRefund",
        b"authorizeOrderPaymentSession",
        b"createOrderPaymentSession",
    )
)
_CARRIER_FIELDS = frozenset((b"calculateShippingOption", b"addShippingMethod"))
_CART_CHANGES = frozenset(
    b"createCart updateCart addLineItem updateLineItem removeLineItem addPromotionCodes removePromotionCodes"
    b" transferCart calculateCartTaxes removeShippingMethods addGiftCardToCart removeGiftCardFromCart"
    b" addStoreCreditToCart removeStoreCreditFromCart reorder".split()
)
_ASKS_FOR_TAXES = _CART_CHANGES | {
    *(b"editOrder", b"previewOrderEdit", b"exchangeOrderItems", b"previewOrderExchange"),
    *(b"claimOrderItems", b"previewOrderClaim", b"createDraftOrder", b"updateDraftOrder"),
    *(b"previewDraftOrder", b"editDraftOrder", b"previewDraftOrderEdit"),
}
"""They ask the tax provider, in a shop that has one."""
_MOST_OBJECTS = 51
"""The most braces and dollars in a cheap change of carts: objects, variables, selection sets."""
_MOST_CARTS = 4
"""The most carts in a cheap document: each may have a thousand lines."""
_EXPENSIVE_WORDS = frozenset((b"q", b"or", b"and"))
_LISTS = frozenset(
    b"products productVariants productCategories collections productTypes productTags productOptions".split()
)
_PAGES = _LISTS | {b"categoryChildren", b"orders"}
"""Fields that return many rows with their relations."""
_SINGLES = (b"product", b"productVariant", b"productOption")
_PARTS = frozenset(name.encode() for name in MANY_OF_PRODUCT)
"""Several of the former fields, with any of these, return many rows, too."""
_IGNORED = rb"(?:[\s,]|\\[nrt]|\\u[Ff][Ee][Ff][Ff]|\xef\xbb\xbf)*"
_LARGE_NUMBER = re.compile(rb"[:=]" + _IGNORED + rb"(?:#|\d+[.eE]|(?!100(?!\d))\d{3})").search
"""The value of an argument or variable, or a variable's default. After a comment any number may follow."""
_UNINDEXED_COLUMNS = (
    rb"updated_?at|deleted_?at|width|weight|length|height|origin_?country|hs_?code|mid_?code|material|subtitle"
    rb"|description|status|thumbnail|external_?id|is_?giftcard|discountable|metadata|collection_?id|type_?id"
)
_EXPENSIVE_ARGUMENTS = re.compile(
    rb'\b(?:createdAt|updatedAt|deletedAt|variants|options|isGiftcard|externalId|salesChannelId)\\?"?'
    + _IGNORED
    + rb":"
    rb'|"' + _IGNORED + rb"-?(?:\w+\.\w+|(?i:" + _UNINDEXED_COLUMNS + rb"))" + _IGNORED + rb'\\?"(?!\s*:)'
).search
"""Filters without an index, which have a colon that fields of the same names lack; and a text that may be an order by
a column without an index, a related row's column or prices, also where a variable holds it, but not a variable's name.
"""
_NULLABLE_ARGUMENTS = re.compile(rb'\b(?:collectionId|typeId)\\?"?' + _IGNORED + rb":").search
"""Filters with an index that takes null, which most products may have."""
_ABSENT = re.compile(rb'"(operationName|variables|extensions)"\s*:\s*null').findall
_COUNTED_LISTS = frozenset((b"productVariants", b"productOptions"))
"""Lists that count all their rows; the count of products is stored."""


def document_kind(body: bytes) -> Kind:
    """The lane of a GraphQL request."""
    if len(body) > _LONGEST_CHEAP_DOCUMENT or b"\\u00" in body or b"\\u{" in body:  # an escaped letter hides a word
        return Kind.EXPENSIVE
    words = _WORDS(body)
    known = set(words)
    lists = sum(word in _LISTS for word in words)
    is_expensive = (
        known & (_EXPENSIVE_WORDS | _COUNTED_LISTS)
        or _LARGE_NUMBER(body)
        or _EXPENSIVE_ARGUMENTS(body)
        or (b"null" in known and _NULLABLE_ARGUMENTS(body) and _has_null(words, body))
    )
    if lists > _MOST_LISTS or (lists and is_expensive) or _has_many_lines(words, body):  # whatever else it does
        return Kind.EXPENSIVE
    if known & _PROVIDER_FIELDS:
        return Kind.PROVIDER
    if b"completeCart" in known or b"convertDraftOrder" in known:
        return Kind.CHECKOUT
    if known & _CARRIER_FIELDS or (settings.TAX_PROVIDERS and known & _ASKS_FOR_TAXES):
        return Kind.CARRIER
    if b"reorder" in known:  # fills a cart with up to a thousand lines
        return Kind.EXPENSIVE
    if known & _HASHING_FIELDS:
        return Kind.HASH
    has_products = b"items" in known or sum(word in _SINGLES for word in words) > 1
    return Kind.PAGE if known & _PAGES or (has_products and known & _PARTS) else Kind.CHEAP


def _has_many_lines(words: Sequence[bytes], body: bytes) -> bool:
    """Whether it may have many carts, or add many lines to one: a variable may be an item, and used several times."""
    changes = not _CART_CHANGES.isdisjoint(words)
    return words.count(b"cart") > _MOST_CARTS or (changes and body.count(b"{") + body.count(b"$") > _MOST_OBJECTS)


def _has_null(words: Sequence[bytes], body: bytes) -> bool:
    """Whether the document or its variables say null: members of the request may, but not variables of their names."""
    return words.count(b"null") > sum(words.count(name) == 1 for name in _ABSENT(body))
