"""A request to each route that nothing is wrong with, and who sends it."""

from dataclasses import dataclass
from typing import Any

from tests.concurrency.running_server import Answered
from tests.interface_walk.callers import Callers
from tests.interface_walk.routes import ROUTES
from tests.interface_walk.shop import Shop

REDEEM = "POST /store/gift-cards/{id_or_code}/redeem"
SHIPPING = "GET /store/shipping-options"
ADDRESS = "POST /store/customers/me/addresses/{address_id}"
CATEGORIES = "GET /store/product-categories"
ACCOUNTS = "GET /store/store-credit-accounts"
KEYS = "POST /admin/api-keys"
PAYMENT = "POST /store/payment-collections"
GRAPHQL = "POST /graphql"

Row = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """caller: one of the Callers. path and query may name what `shop` has, and are made again each time.

    body: or what makes it of the shop.
    """

    caller: str
    path: str
    body: Any = None
    query: str = ""


SAMPLES = {
    GRAPHQL: Sample("store", "/graphql", {"query": "{ productCategories { count } }"}),
    KEYS: Sample("staff", "/admin/api-keys", {"title": "Web shop", "type": "publishable"}),
    REDEEM: Sample("customer", "/store/gift-cards/{shop.another_card}/redeem"),
    SHIPPING: Sample("customer", "/store/shipping-options", query="cart_id={shop.cart.pk}"),
    ADDRESS: Sample("customer", "/store/customers/me/addresses/{shop.address.pk}", {}),
    CATEGORIES: Sample("store", "/store/product-categories"),
    PAYMENT: Sample("customer", "/store/payment-collections", lambda shop: {"cart_id": shop.paid_cart.pk}),
    ACCOUNTS: Sample("customer", "/store/store-credit-accounts"),
}


def send(route: str, callers: Callers, shop: Shop, *, caller: str | None = None, **options: Any) -> Answered:
    """The route's request, as the options have it: path, body, query, headers."""
    sample = SAMPLES[route]
    asked = {"path": sample.path, "body": sample.body, "query": sample.query, **options}
    path, query = (asked.pop(name).format(shop=shop) for name in ("path", "query"))
    sender = getattr(callers, caller or sample.caller)
    body = asked.pop("body")
    given = body(shop) if callable(body) else body
    answer: Answered = sender.send(ROUTES[route].method, path, given, query=query, **asked)
    return answer


def answered(route: str, callers: Callers, shop: Shop, **options: Any) -> dict[str, Any]:
    """The body of an answer that succeeds."""
    answer = send(route, callers, shop, **options)
    assert answer.status == 200, answer
    body: dict[str, Any] = answer.body
    return body


def first_row(route: str, body: dict[str, Any]) -> Row:
    """What the answer holds of the route's resource, the first where it is a list."""
    found = body[ROUTES[route].answer[-1]]
    row: Row = found[0] if isinstance(found, list) else found
    return row
