"""Classifies requests by their expected cost, from their path, query and body, before they run.

A list counts as expensive unless all its parameters are known to be cheap. If an index answers it, but it has many rows
with their relations, whose building takes CPU time, it counts as a page. Below /admin, only staff and secret keys get
responses, and their reads always count as cheap.
"""

import re
from urllib.parse import unquote_plus
from wsgiref.types import WSGIEnvironment

from django.conf import settings

from commerce.operations.server.document_kinds import MANY_OF_PRODUCT, document_kind
from kit.server.lanes import Kind

_MOST_RELATIONS = 16
"""The most stars and dots in `fields` of a cheap request; the storefronts' catalogue page has eight."""

_HASHES = re.compile(
    r"/auth/\w+/emailpass(/register|/update)?|/admin/(login|password_change|invitation|staff/user/.*)/"
).fullmatch
_PROVIDER_CALLS = re.compile(
    r"/store/payment-collections/[^/]*/payment-sessions|/hooks/payments/.*|/admin/payments/.*|/admin/orders/[^/]*/refunds"
    r"|/store/payment-links/[^/]*|/pay/[^/]*|/admin/payment-collections/[^/]*/payment-sessions|/admin/orders/[^/]*/payment-sessions/authorize"
    r"|/admin/orders/order/[^/]*/actions/(capture|refund)/.*",
    re.DOTALL,
).fullmatch
_COMPLETIONS = re.compile(
    r"/store/carts/[^/]*/complete|/admin/draft-orders/[^/]*/convert-to-order", re.DOTALL
).fullmatch
_CARRIER_CALLS = re.compile(r"/store/(shipping-options/[^/]*/calculate|carts/[^/]*/shipping-methods)").fullmatch

_ASKS_FOR_TAXES = re.compile(
    r"/store/(carts|orders/[^/]*/reorder\Z)"
    r"|/admin/draft-orders|/admin/order-edits/[^/]*/(items|shipping-method|confirm)"
    r"|/admin/(exchanges|claims)/[^/]*/(inbound|outbound|claim-items|request)"
    r"|/admin/orders/order/[^/]*/actions/(confirm-)?(edit|exchange|claim)/",
    re.DOTALL,
).match
"""Changes of carts, drafts and orders ask the tax provider, in a shop that has one."""

_REORDERS = re.compile(r"/store/orders/[^/]*/reorder", re.DOTALL).fullmatch
"""They fill a cart with up to a thousand lines."""

_INVOICE_FILES = re.compile(r"/store/orders/[^/]*/invoices/[^/]*|/orders/documents/[^/]*", re.DOTALL).fullmatch
"""A PDF of some hundred KB, or a page of as many lines as the order has."""

_READS_SPREADSHEETS = re.compile(
    r"/admin/(spreadsheets/import/(upload/[^/]+|[^/]+/preview)/|products/imports?)", re.DOTALL
).fullmatch
"""An XLSX file is unpacked for its headers, and a preview reads the whole file."""

_WRITES_SPREADSHEETS = re.compile(r"/admin/spreadsheets/import/[^/]+/undo/[^/]+/", re.DOTALL).fullmatch
"""The undo file of an import may have as many rows as the import."""

_UPLOADS = {
    "POST": re.compile(
        r"/admin/(uploads|catalog/product/[^/]+/pictures/|spreadsheets/import/upload/[^/]+/|products/import)"
    ).fullmatch,
    "PUT": re.compile(r"/uploads/[^/]+").fullmatch,
}

_DOCUMENTS = ("/openapi.json", "/docs")
"""The first request of each process loads and generates them, and others wait for that."""

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
"""Columns of these lists. Any other name may be that of a relation, which needs no star or dot."""
_COLUMNS_ALONE = re.compile(
    rf"(?:\A|&)fields=(?:\+|%2[Bb])?(?:{_SCALARS})(?:(?:,|%2[Cc])(?:\+|%2[Bb])?(?:{_SCALARS}))*(?:&|\Z)"
).search
_REPLACES_DEFAULTS = re.compile(r"(?:\A|&)fields=(?:[^&]*(?:,|%2[Cc]))?\w").search
"""A name without `*`, `+` or `-` replaces the default fields."""
_FIELDS = re.compile(r"(?:\A|&)fields=([^&]*)").findall
_NAMES = re.compile(r"\w+").findall
_TREES = re.compile(r"(?:\A|&)include_(?:descendants|ancestors)_tree=").search

_LONGEST_CHEAP_QUERY = 2000
_LONGEST_CHEAP_BODY = 32 * 1024
_MOST_OBJECTS = 51
"""The most objects in the body of a cheap change: itself, and 50 items."""
_LARGEST_CHEAP_BODY = 256 * 1024
"""Parsing a larger one takes up to 30 MB and 50 ms, and comes before the credentials are checked."""


def kind_of(environ: WSGIEnvironment, body: bytes) -> Kind:
    """The request's lane. environ: the WSGI environment."""
    path: str = environ["PATH_INFO"]
    method = environ["REQUEST_METHOD"].upper()  # as Django reads it
    if method in ("GET", "HEAD"):
        return _of_reading(path, environ["QUERY_STRING"])
    kind = _of_post(path, body) if method == "POST" else None
    if kind is None and path.startswith("/store/") and _has_many_items(body):
        return Kind.EXPENSIVE
    if kind is None and settings.TAX_PROVIDERS and _ASKS_FOR_TAXES(path):
        return Kind.CARRIER
    if kind is None and _REORDERS(path):
        return Kind.EXPENSIVE
    return kind or _of_change(path, environ["QUERY_STRING"], len(body))


def _of_post(path: str, body: bytes) -> Kind | None:
    """None if it depends on the fields of the response."""
    if path == "/graphql":
        return document_kind(body)
    if _HASHES(path):
        return Kind.HASH
    if _PROVIDER_CALLS(path):
        return Kind.PROVIDER
    if _COMPLETIONS(path):
        return Kind.CHECKOUT
    if _CARRIER_CALLS(path):
        return Kind.CARRIER
    if _READS_SPREADSHEETS(path):
        return Kind.EXPENSIVE
    return None


def _of_change(path: str, query: str, size: int) -> Kind:
    """The kind of a change, by the size of its body and the fields of the changed row in its response."""
    if size > _LARGEST_CHEAP_BODY:
        return Kind.EXPENSIVE
    if not path.startswith("/store/"):
        return Kind.CHEAP
    if len(query) > _LONGEST_CHEAP_QUERY or len(_RELATIONS(query)) > _MOST_RELATIONS:
        return Kind.EXPENSIVE
    return Kind.PAGE if _has_many_rows({*_NAMES(unquote_plus(query))}) else Kind.CHEAP


def _has_many_items(body: bytes) -> bool:
    """Whether the body may have more than 50 items. Braces in texts count, too: parsing here would stop all others."""
    return len(body) > _LONGEST_CHEAP_BODY or body.count(b"{") > _MOST_OBJECTS


def is_upload(environ: WSGIEnvironment) -> bool:
    """Whether the request may have files as its body: its limit is not that of other bodies, 1 MiB."""
    takes_files = _UPLOADS.get(environ["REQUEST_METHOD"].upper())
    return takes_files is not None and takes_files(environ["PATH_INFO"]) is not None


def _of_reading(path: str, query: str) -> Kind:
    if _INVOICE_FILES(path):
        return Kind.PAGE
    if _WRITES_SPREADSHEETS(path):
        return Kind.EXPENSIVE
    if not path.startswith("/store/"):
        return Kind.EXPENSIVE if path in _DOCUMENTS else Kind.CHEAP
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
    return not is_narrow or _TREES(query) is not None or _has_many_rows(_names(query))


def _names(query: str) -> set[str]:
    """The names in `fields`."""
    return {name for value in _FIELDS(query) for name in _NAMES(unquote_plus(value))}


def _has_many_rows(names: set[str]) -> bool:
    """Whether each row of the response may have many products, or a product with many rows of its own."""
    return "products" in names or ("product" in names and bool(names & MANY_OF_PRODUCT))


def _is_answered_by_indexes(path: str, query: str) -> bool:
    if not _INDEXED_ORDERS[path].issuperset(_ORDERS(query)):
        return False
    filters: list[tuple[str, str]] = _NARROWED(query)
    unset = {name for name, value in filters if unquote_plus(value) == "null"}  # most products may have no type
    if any(name not in unset for name, _ in filters):
        return True
    # The count of all products is kept; those of variants and options are not.
    return path == _PRODUCTS and not unset and "is_giftcard" not in query
