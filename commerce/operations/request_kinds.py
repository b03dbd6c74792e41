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
_RELATIONS = re.compile(r"\*|\.|%2[AEae]").findall

_LONGEST_CHEAP_QUERY = 2000
_LONGEST_CHEAP_DOCUMENT = 4000
_MOST_LISTS = 8
_WORDS = re.compile(rb"\\.|(\w+)").findall  # of `\\n` in a JSON text the letter is none of a word's
_HASHING_FIELDS = frozenset((b"login", b"register", b"updatePassword"))
_CALLING_FIELDS = frozenset((b"createPaymentSession", b"calculateShippingOption", b"addShippingMethod"))
_DEAR_WORDS = frozenset((b"q", b"or", b"and"))
_LISTS = frozenset(
    b"products productVariants productCategories collections productTypes productTags productOptions".split()
)
# After the colon of an argument or the `=` of a variable's default, and what GraphQL ignores between.
_LARGE_NUMBER = re.compile(
    rb"[:=](?:[\s,]|\\[nrt]|\xef\xbb\xbf|\\ufeff)*(?!100\b)\d(?:\d\d|\d*[.eE])", re.IGNORECASE
).search
_ANY_LARGE_NUMBER = re.compile(rb"\d\d\d").search


def kind_of(environ: dict[str, Any], body: bytes) -> Kind:
    """The lane that the request belongs into. environ: of WSGI."""
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
    return Kind.PROVIDER if _PROVIDER_CALLS(path) else Kind.CHEAP


def _of_reading(path: str, query: str) -> Kind:
    if not query or not path.startswith("/store/"):
        return Kind.CHEAP
    if len(query) > _LONGEST_CHEAP_QUERY:  # first of all, since this runs in the event loop
        return Kind.DEAR
    is_cheap = _CHEAP_QUERY(query) and len(_RELATIONS(query)) <= _MOST_RELATIONS
    return Kind.CHEAP if is_cheap else Kind.DEAR


def _of_document(body: bytes) -> Kind:
    if len(body) > _LONGEST_CHEAP_DOCUMENT or b"\\u00" in body:  # an escaped letter hides a word
        return Kind.DEAR
    words = _WORDS(body)
    known = set(words)
    if known & _CALLING_FIELDS:
        return Kind.PROVIDER
    if known & _HASHING_FIELDS:
        return Kind.HASH
    is_dear = known & _DEAR_WORDS or _asks_for_many(body) or sum(word in _LISTS for word in words) > _MOST_LISTS
    return Kind.DEAR if is_dear else Kind.CHEAP


def _asks_for_many(body: bytes) -> bool:
    """Whether a large number is given. A comment may stand before it, and hold anything."""
    return bool(_LARGE_NUMBER(body) or (b"#" in body and _ANY_LARGE_NUMBER(body)))
