"""Every route of the interface: what it takes and what it gives; the ways to say who asks; the seven bodies."""

from tests.interface_walk.tables import Route

KEY, COOKIE, BEARER = "x-publishable-api-key", "connect.sid", "Authorization"
_SHOPPER = frozenset({KEY})
_CUSTOMER = frozenset({KEY, COOKIE})
_PAGE = ("limit", "offset", "count", "estimate_count")
_LIST = ("fields", "offset", "limit", "order", "$and", "$or")
_PLACE = "first_name last_name phone company address_1 address_2 city country_code province postal_code"

ROUTES = {
    route.name: route
    for route in (
        Route("POST /graphql", None),
        Route(
            "POST /admin/api-keys", "API key", answer=("api_key",), body=("title", "type"), headers=frozenset({BEARER})
        ),
        Route(
            "POST /store/gift-cards/{id_or_code}/redeem",
            "Gift card",
            answer=("gift_card",),
            query=("fields",),
            headers=_CUSTOMER,
        ),
        Route(
            "GET /store/shipping-options",
            "Shipping option",
            answer=("shipping_options",),
            query=("cart_id", *_LIST, "is_return"),
            headers=_SHOPPER,
        ),
        Route(
            "POST /store/customers/me/addresses/{address_id}",
            "Customer",
            answer=("customer",),
            query=("fields",),
            body=(*_PLACE.split(), "address_name", "is_default_shipping", "is_default_billing", "metadata"),
            headers=_CUSTOMER,
        ),
        Route(
            "POST /store/payment-collections",
            "Payment collection",
            answer=("payment_collection",),
            query=("fields",),
            body=("cart_id",),
            headers=_SHOPPER,
        ),
        Route(
            "GET /store/product-categories",
            "Product category",
            answer=(*_PAGE, "product_categories"),
            query=(
                *_LIST,
                *("q", "id", "description", "handle", "parent_category_id", "name", "created_at", "updated_at"),
                *("include_ancestors_tree", "include_descendants_tree", "with_deleted"),
            ),
            headers=_SHOPPER,
        ),
        Route(
            "GET /store/store-credit-accounts",
            "Store credit account",
            answer=(*_PAGE, "store_credit_accounts"),
            query=("currency_code", "created_at", "updated_at", *_LIST),
            headers=_CUSTOMER,
        ),
    )
}
CREDENTIALS = ("Bearer token (JWT)", "Session cookie", "Publishable API key", "Secret API key", "CSRF header")
SEVEN = (
    # content type, keys, and what code and type have been seen
    ("application/json", (), None, None),
    ("application/json", ("message", "type"), None, "not_allowed"),
    ("text/plain", (), None, None),
    ("application/json", ("message", "type"), None, "not_found"),
    ("application/json", ("code", "message", "type"), "unknown_error", "QueryRunnerAlreadyReleasedError"),
    ("application/json", ("code", "message", "type"), "invalid_request_error", "duplicate_error"),
    ("application/json", ("code", "message", "type"), "api_error", "database_error"),
)
STATUSES = (200, 400, 401, 404, 409, 422, 500)
"""Of the seven bodies, which the interface leaves open."""
