"""Which requests hold a thread for long, recognised by their shape before they run.

A list is cheap where all its parameters are known to be, so that what nobody thought of counts as dear. Below /admin
only staff and secret keys get anything: what they read is never counted as dear. A GraphQL document says nothing that
can be believed about its sender, so that those of secret keys count like all others.
"""

import re
from typing import Any

from commerce.front.lanes import Kind

_MOST_RELATIONS = 16
"""Stars and dots of `fields`; the storefronts' catalogue page has eight."""

_HASHES = re.compile(r"/auth/\w+/emailpass(/register|/update)?|/admin/(login|password_change|staff/user/.*)/").fullmatch
_PROVIDER_CALLS = re.compile(
    r"/store/(payment-collections/[^/]*/payment-sessions|shipping-options/[^/]*/calculate|carts/[^/]*/shipping-methods)"
    r"|/hooks/payments/.*|/admin/payments/.*",
    re.DOTALL,
).fullmatch

_FILTERS = (
    "id|handle|sku|region_id|country_code|province|currency_code|cart_id|provider_id|collection_id|category_id|tag_id|"
    "type_id|product_id|option_value_id|parent_category_id|is_giftcard|is_exclusive|is_return"
)
_CHEAP_QUERY = re.compile(
    rf"(((limit=(100|\d\d?)|offset=\d{{1,3}}|order=-?\w*|fields=[^&]*"
    rf"|include_(descendants|ancestors)_tree=\w*"
    rf"|({_FILTERS})((\[|%5B)\d*(\]|%5D))?=[^&]*))(&|\Z))*"
).fullmatch
_RELATIONS = re.compile(r"\*|%2A|\.").findall

_LONGEST_CHEAP_DOCUMENT = 4000
_MOST_LISTS = 8
_GRAPHQL_HASHES = re.compile(rb"\b(login|register|updatePassword)\b").search
_GRAPHQL_PROVIDER_CALLS = re.compile(rb"\b(createPaymentSession|calculateShippingOption|addShippingMethod)\b").search
_GRAPHQL_DEAR = re.compile(rb"""\b(q|or|and|not)\b|:\s*(?!100\b)\d{3}|\\u00""").search
_GRAPHQL_LISTS = re.compile(
    rb"\b(products|productVariants|productCategories|collections|product(Types|Tags|Options))\b"
).findall


def kind_of(environ: dict[str, Any], body: bytes) -> Kind:
    """The lane that the request belongs into. environ: of WSGI."""
    path: str = environ["PATH_INFO"]
    method: str = environ["REQUEST_METHOD"]
    if method in ("GET", "HEAD"):
        return _of_reading(path, environ["QUERY_STRING"])
    if method != "POST":
        return Kind.CHEAP
    if path == "/graphql":
        return _of_document(body)
    if _HASHES(path):
        return Kind.HASH
    return Kind.PROVIDER if _PROVIDER_CALLS(path) else Kind.CHEAP


def _of_reading(path: str, query: str) -> Kind:
    if not query or not path.startswith("/store/"):
        return Kind.CHEAP
    is_cheap = _CHEAP_QUERY(query) and len(_RELATIONS(query)) <= _MOST_RELATIONS
    return Kind.CHEAP if is_cheap else Kind.DEAR


def _of_document(body: bytes) -> Kind:
    if _GRAPHQL_PROVIDER_CALLS(body):
        return Kind.PROVIDER
    if _GRAPHQL_HASHES(body):
        return Kind.HASH
    is_dear = len(body) > _LONGEST_CHEAP_DOCUMENT or _GRAPHQL_DEAR(body) or len(_GRAPHQL_LISTS(body)) > _MOST_LISTS
    return Kind.DEAR if is_dear else Kind.CHEAP
