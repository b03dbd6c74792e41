"""A good request to each route."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from tests.contract.callers import Caller
from tests.contract.routes import (
    apikeys,
    auth,
    carts,
    catalog,
    commerce,
    customers,
    drafts,
    exchanges,
    fulfillment,
    giftcards,
    invoices,
    order_edits,
    orders,
    payments,
    pictures,
    prices,
    returns,
    shop,
    spreadsheets,
    staff,
    stock,
    taxes,
)
from tests.contract.routes.examples import Example, Form
from tests.contract.routes.urls import Route

EXAMPLES: dict[str, Example] = {
    **apikeys.EXAMPLES,
    **auth.EXAMPLES,
    **carts.EXAMPLES,
    **catalog.EXAMPLES,
    **commerce.EXAMPLES,
    **customers.EXAMPLES,
    **exchanges.EXAMPLES,
    **drafts.EXAMPLES,
    **fulfillment.EXAMPLES,
    **giftcards.EXAMPLES,
    **invoices.EXAMPLES,
    **order_edits.EXAMPLES,
    **orders.EXAMPLES,
    **payments.EXAMPLES,
    **pictures.EXAMPLES,
    **prices.EXAMPLES,
    **returns.EXAMPLES,
    **shop.EXAMPLES,
    **spreadsheets.EXAMPLES,
    **staff.EXAMPLES,
    **stock.EXAMPLES,
    **taxes.EXAMPLES,
}
"""By path. A route without an example fails tests/contract/test_every_route.py."""


@dataclass(frozen=True)
class GoodRequest:
    """A request that nothing is wrong with. The rows that it needs are there; refused, it can be sent again."""

    method: str
    path: str
    body: Any

    def send(self, caller: Caller, **options: Any) -> HttpResponse:
        """It, save for what the options change."""
        sent = self.body if isinstance(self.body, Form) else {"body": self.body}
        return caller.send(self.method, self.path, **{**sent, **options})


def good_request(route: Route, method: str) -> GoodRequest:
    """One for the route, and the rows that it needs."""
    example = EXAMPLES[route.path]
    action = route.actions.get(method.lower(), "")
    body = example.bodies.get(action, b"" if method in ("GET", "HEAD", "DELETE") else {})
    return GoodRequest(method, example.path(), body() if callable(body) else body)


def send(caller: Caller, route: Route, method: str, **options: Any) -> HttpResponse:
    """A good request, save for what the options change."""
    return good_request(route, method).send(caller, **options)
