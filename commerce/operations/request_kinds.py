"""Classifies requests by their expected cost, from their path, query and body, before they run.

A list is expensive unless all its parameters are known not to be. One that an index answers may still have many rows
with their relations, whose building takes a thread's CPU time: it is a page. Below
/admin, only staff and secret keys get responses, and their reads always count as cheap. The sender of a GraphQL
document is unknown before it runs, so documents of secret keys are classified like all others.
"""

import re
from collections.abc import Sequence
from urllib.parse import unquote_plus
from wsgiref.types import WSGIEnvironment

from commerce.kit.front.lanes import Kind

_MOST_RELATIONS = 16
"""The most stars and dots in `fields` of a cheap request; the storefronts' catalogue page has eight."""

_HASHES = re.compile(
    r"/auth/\w+/emailpass(/register|/update)?|/admin/(login|password_change|invitation|staff/user/.*)/"
).fullmatch
_PROVIDER_CALLS = re.compile(
    r"/store/payment-collections/[^/]*/payment-sessions|/hooks/payments/.*|/admin/payments/.*|/admin/orders/[^/]*/refunds"
    r"|/admin/orders/order/[^/]*/actions/(capture|refund)/.*",
    re.DOTALL,
).fullmatch
_COMPLETIONS = re.compile(r"/store/carts/[^/]*/complete", re.DOTALL).fullmatch
_CARRIER_CALLS = re.compile(r"/store/(shipping-options/[^/]*/calculate|carts/[^/]*/shipping-methods)").fullmatch

_UPLOADS = re.compile(r"/admin/(uploads|catalog/product/[^/]+/pictures/)").fullmatch

_DOCUMENT = "/openapi.json"
"""The first request of each process generates it, and others wait for that."""

_NARROWING = "id|handle|sku|product_id|collection_id|category_id|tag_id|type_id|option_value_id"
"""Filters that an index answers in lists that grow with the catalogue."""
_FILTERS = (
    f"{_NARROWING}|region_id|country_code|province|currency_code|cart_id|provider_id|parent_category_id|is_giftcard"
    "|is_exclusive|is_return"
)
_CHEAP_QUERY = re.compile(
    rf"(((limit=(100|\d\d?)|offset=\d{{1,3}}|order=-?\w*|fields=[^&]*"
    rf"|include_(descendants|ancestors)_tree=\w*"
    rf"|({_FILTERS})((\[|%5B)\d*(\]|%5D))?=[^&]*))(&|\Z))*"
).fullmatch
_RELATIONS = re.compile(r"\*|\.|%2[AaEe]").findall
_ORDERS = re.compile(r"(?:\A|&)order=-?(\w*)").findall
_PRODUCTS = "/store/products"
_INDEXED_ORDERS = {
    _PRODUCTS: frozenset(("id", "handle", "title", "created_at")),
    "/store/product-variants": frozenset(("id",)),
    "/store/product-options": frozenset(("id",)),
}
"""The lists that grow with the catalogue, and by what an index sorts them."""
_NARROWED = re.compile(rf"(?:\A|&)(?:({_NARROWING})(?:(?:\[|%5B)\d*(?:\]|%5D))?=([^&]*)|is_exclusive=false)").findall
"""No option matches the last one: all are exclusive to their product."""

_WITH_RELATIONS = re.compile("/store/(products|product-variants|product-categories|orders)").fullmatch
"""Lists whose rows have relations by default."""
_SCALARS = (
    "id|title|name|handle|subtitle|description|thumbnail|sku|rank|status|display_id|email|metadata|(created|updated)_at"
)
"""Columns of these lists. A relation, too, may be named without a star or dot: what else is named may be one."""
_COLUMNS_ALONE = re.compile(
    rf"(?:\A|&)fields=(?:\+|%2[Bb])?(?:{_SCALARS})(?:(?:,|%2[Cc])(?:\+|%2[Bb])?(?:{_SCALARS}))*(?:&|\Z)"
).search
_REPLACES_DEFAULTS = re.compile(r"(?:\A|&)fields=(?:[^&]*(?:,|%2[Cc]))?\w").search
"""A name without a modifier does."""
_MANY_ROWS = re.compile(
    r"(?:\A|&)(?:include_(?:descendants|ancestors)_tree=|fields=[^&]*(?:products|%(?:[46][1-9A-Fa-f]|[57][0-9Aa])))"
).search
"""Trees, and the products of other rows: an escaped letter may be one of that word."""

_LONGEST_CHEAP_QUERY = 2000
_LONGEST_CHEAP_DOCUMENT = 4000
_MOST_LISTS = 8
_WORDS = re.compile(rb"\\.|(\w+)").findall  # the n of `\\n` in a JSON text belongs to no word
_HASHING_FIELDS = frozenset((b"login", b"register", b"updatePassword"))
_PROVIDER_FIELDS = frozenset((b"createPaymentSession", b"capturePayment", b"refundPayment", b"createOrderRefund"))
_CARRIER_FIELDS = frozenset((b"calculateShippingOption", b"addShippingMethod"))
_EXPENSIVE_WORDS = frozenset((b"q", b"or", b"and"))
_LISTS = frozenset(
    b"products productVariants productCategories collections productTypes productTags productOptions".split()
)
_PAGES = _LISTS | {b"categoryChildren", b"orders"}
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


def kind_of(environ: WSGIEnvironment, body: bytes) -> Kind:
    """The request's lane. environ: the WSGI environment."""
    path: str = environ["PATH_INFO"]
    method = environ["REQUEST_METHOD"].upper()  # as Django reads it
    if method in ("GET", "HEAD"):
        return _of_reading(path, environ["QUERY_STRING"])
    if method != "POST":
        return Kind.CHEAP
    if path == "/graphql":
        return _of_document(body)
    if _HASHES(path):
        return Kind.HASH
    if _PROVIDER_CALLS(path):
        return Kind.PROVIDER
    if _COMPLETIONS(path):
        return Kind.CHECKOUT
    if _CARRIER_CALLS(path):
        return Kind.CARRIER
    return Kind.EXPENSIVE if len(_RELATIONS(environ["QUERY_STRING"])) > _MOST_RELATIONS else Kind.CHEAP


def is_upload(environ: WSGIEnvironment) -> bool:
    """Whether the request may have files as its body: its limit is not that of other bodies, 1 MiB."""
    path: str = environ["PATH_INFO"]
    return environ["REQUEST_METHOD"].upper() == "POST" and _UPLOADS(path) is not None


def _of_reading(path: str, query: str) -> Kind:
    if not path.startswith("/store/"):
        return Kind.EXPENSIVE if path == _DOCUMENT else Kind.CHEAP
    if len(query) > _LONGEST_CHEAP_QUERY:  # checked first, since this runs in the event loop
        return Kind.EXPENSIVE
    is_cheap = (
        _CHEAP_QUERY(query)
        and len(_RELATIONS(query)) <= _MOST_RELATIONS
        and (path not in _INDEXED_ORDERS or _is_answered_by_indexes(path, query))
    )
    if not is_cheap:
        return Kind.EXPENSIVE
    return Kind.PAGE if _is_page(path, query) else Kind.CHEAP


def _is_page(path: str, query: str) -> bool:
    is_narrow = not _WITH_RELATIONS(path) or (_COLUMNS_ALONE(query) and _REPLACES_DEFAULTS(query))
    return not is_narrow or _MANY_ROWS(query) is not None


def _is_answered_by_indexes(path: str, query: str) -> bool:
    if not _INDEXED_ORDERS[path].issuperset(_ORDERS(query)):
        return False
    filters: list[tuple[str, str]] = _NARROWED(query)
    unset = {name for name, value in filters if unquote_plus(value) == "null"}  # most products may have no type
    if any(name not in unset for name, _ in filters):
        return True
    # The count of all products is kept; those of variants and options are not.
    return path == _PRODUCTS and not unset and "is_giftcard" not in query


def _has_null(words: Sequence[bytes], body: bytes) -> bool:
    """Whether the document or its variables say null: members of the request may, but not variables of their names."""
    return words.count(b"null") > sum(words.count(name) == 1 for name in _ABSENT(body))


def _of_document(body: bytes) -> Kind:
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
    if lists > _MOST_LISTS or (lists and is_expensive):  # whatever else it does
        return Kind.EXPENSIVE
    if known & _PROVIDER_FIELDS:
        return Kind.PROVIDER
    if b"completeCart" in known:
        return Kind.CHECKOUT
    if known & _CARRIER_FIELDS:
        return Kind.CARRIER
    if known & _HASHING_FIELDS:
        return Kind.HASH
    return Kind.PAGE if known & _PAGES else Kind.CHEAP
