"""Refusals that no request brings about, raised in this process by what the route's view calls."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError

from auth.account_types import actors
from auth.tokens.tokens import issue
from kit.errors import NotAllowed, NotFound
from kit.rest.responses.errors import AuthenticationRequired
from tests.concurrency.running_server import Answered
from tests.contract.callers import JSON, Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import token_of
from tests.interface_walk.routes import BEARER, KEY, ROUTES
from tests.interface_walk.samples import (
    ACCOUNTS,
    ADDRESS,
    CATEGORIES,
    GRAPHQL,
    KEYS,
    PAYMENT,
    REDEEM,
    SAMPLES,
    SHIPPING,
)
from tests.interface_walk.shop import Shop

CALLED: Mapping[str, str] = {
    GRAPHQL: "kit.reads.resources.read_page",
    KEYS: "apikeys.issuance.issue",
    REDEEM: "giftcards.cards.redemption.redeem",
    SHIPPING: "fulfillment.api.resources.ShippingOptionResource.load",
    ADDRESS: "customers.address_book.change_address",
    PAYMENT: "payments.api.resources.PaymentCollectionResource.of_cart",
    CATEGORIES: "kit.reads.resources.read_page",
    ACCOUNTS: "kit.reads.resources.read_page",
}
"""What raises, for each route."""


def _lock_timed_out() -> OperationalError:
    error = OperationalError("canceling statement due to lock timeout")
    error.__cause__ = type("LockNotAvailable", (Exception,), {"sqlstate": "55P03"})()
    return error


RAISED: Mapping[int, Exception] = {
    400: NotAllowed("This cannot be done now"),
    401: AuthenticationRequired(),
    404: NotFound("It was not found"),
    409: _lock_timed_out(),
    422: IntegrityError("UNIQUE constraint failed: table.code"),
    500: DatabaseError("the disk is full"),
}


class Injector:
    """Sends the sample of a route to a server in this process, in which what it calls fails."""

    def __init__(self, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
        self._shop = shop
        self._key = publishable_key().token
        self._monkeypatch = monkeypatch

    def answer(self, route: str, status: int) -> Answered:
        """What the route makes of the failure that has that status."""

        def fail(*_: Any, **__: Any) -> Any:
            raise RAISED[status]

        sample = SAMPLES[route]
        with self._monkeypatch.context() as patched:
            patched.setattr(CALLED[route], fail)
            query = sample.query.format(shop=self._shop)
            path = sample.path.format(shop=self._shop)
            body = sample.body(self._shop) if callable(sample.body) else sample.body
            response = self._caller(sample.caller).send(ROUTES[route].method, path, body or b"", query=query)
        is_json = response["Content-Type"] == JSON
        headers = {name.lower(): value for name, value in response.items()}
        return Answered(response.status_code, response.json() if is_json else response.content.decode(), headers)

    def _caller(self, name: str) -> Caller:
        if name == "staff":
            account = actors.resolve("user", self._shop.staff.pk, self._shop.staff.stamp)
            assert account is not None
            return Caller(**{BEARER: f"Bearer {issue(account)}"})
        token = {BEARER: f"Bearer {token_of(self._shop.customer)}"} if name == "customer" else {}
        return Caller(**{KEY: self._key, **token})
