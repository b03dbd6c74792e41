"""The requests that each route refuses, by the status of the refusal."""

from dataclasses import dataclass, field
from typing import Any

from tests.interface_walk.routes import KEY
from tests.interface_walk.samples import ACCOUNTS, ADDRESS, CATEGORIES, GRAPHQL, KEYS, PAYMENT, REDEEM, SHIPPING

Options = dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """options: what is wrong with the request. caller: who sends it, if not who may.

    before: what the same caller has sent before. while_busy: whether somebody else writes to the tables meanwhile.
    """

    options: Options = field(default_factory=dict)
    caller: str | None = None
    before: Options | None = None
    while_busy: bool = False


def _document(text: str) -> Options:
    return {"body": {"query": text}}


def _key_of_another_request(name: str, **other: Any) -> Refused:
    """The Idempotency-Key of a request that was another one."""
    headers = {"headers": {"Idempotency-Key": f"the-walk-{name}"}}
    return Refused({**headers, **(other or {"query": "fields=id"})}, before=headers)


_WITHOUT_KEY = Refused({"headers": {KEY: None}})
_BUSY = Refused(while_busy=True)
_PHONE = 'mutation {{ updateCustomer(input: {{phone: "{0}"}}) {{ customer {{ id }} }} }}'.format

REFUSED: dict[str, dict[int, Refused]] = {
    GRAPHQL: {
        400: Refused({"headers": {KEY: "pk_nobody"}}),
        401: Refused(caller="nobody"),
        404: Refused(_document('{ productCategory(id: "pcat_nobody") { id } }')),
        409: Refused(_document(_PHONE("1")), caller="customer", while_busy=True),
        422: Refused(
            {"headers": {"Idempotency-Key": "the-walk-graphql"}, **_document(_PHONE("2"))},
            caller="customer",
            before={"headers": {"Idempotency-Key": "the-walk-graphql"}, **_document(_PHONE("3"))},
        ),
    },
    KEYS: {
        400: Refused({"body": {"title": "", "type": "secret"}}),
        401: Refused(caller="nobody"),
        409: _BUSY,
        422: _key_of_another_request("api-keys"),
    },
    REDEEM: {
        400: _WITHOUT_KEY,
        401: Refused(caller="store"),
        404: Refused({"path": "/store/gift-cards/GIFT-NOBODYS/redeem"}),
        409: Refused({"path": "/store/gift-cards/{shop.card.code}/redeem"}, while_busy=True),
        422: _key_of_another_request("redeem"),
    },
    SHIPPING: {
        400: _WITHOUT_KEY,
        404: Refused({"query": "cart_id=cart_nobodys"}),
    },
    ADDRESS: {
        400: _WITHOUT_KEY,
        401: Refused(caller="store"),
        404: Refused({"path": "/store/customers/me/addresses/cuaddr_nobodys"}),
        409: Refused({"body": {"city": "Salem"}}, while_busy=True),
        422: _key_of_another_request("addresses"),
    },
    PAYMENT: {
        400: _WITHOUT_KEY,
        404: Refused({"body": {"cart_id": "cart_nobodys"}}),
        409: Refused({"body": lambda shop: {"cart_id": shop.cart.pk}}, while_busy=True),
        422: _key_of_another_request("payment-collections"),
    },
    CATEGORIES: {
        400: _WITHOUT_KEY,
    },
    ACCOUNTS: {
        400: _WITHOUT_KEY,
        401: Refused(caller="store"),
    },
}
