"""Orders and fulfillments as a running Medusa has answered: where our answers differ, and why."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orders.models import Order
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.carts import selling_region
from tests.orders.fulfillments.shop import lines, ordered, pack

RECORDED = Path(__file__).parents[4] / "shared" / "recorded" / "orders"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not RECORDED.exists(), reason="needs ../shared/recorded"),
]

__all__ = ["admin"]

BY_THE_STORE = "the order of the store has it (orders.md 1.1, 1.2)"
SEE_PAYMENTS = "GET /admin/payments has it, or a relation of it"
LISTED: dict[str, str] = {
    # What only our answers have, and why.
    "currency_code": "an amount needs its currency",
    "items.order_id": BY_THE_STORE,
    "items.item_total": BY_THE_STORE,
    "items.item_subtotal": BY_THE_STORE,
    "items.item_tax_total": BY_THE_STORE,
    "items.gift_cards": "orders.md 8.13",
    "summary.allowance_total": "orders.md D9",
}
PAID: dict[str, str] = {
    "payment_collections.payments.authorized_amount": BY_THE_STORE,
    "payment_collections.payments.captured_amount": BY_THE_STORE,
    "payment_collections.payments.refunded_amount": BY_THE_STORE,
}
LEFT_OUT: dict[str, str] = {
    # What only Medusa's answers have, and why.
    "items.variant": "today's catalogue: by request (docs/decisions/orders.md)",
    "payment_collections.payments.payment_collection_id": SEE_PAYMENTS,
    "payment_collections.payments.payment_session": SEE_PAYMENTS,
    "payment_collections.payments.payment_session_id": SEE_PAYMENTS,
    "payment_collections.payments.metadata": "payments have none",
    "payment_collections.payments.deleted_at": "payments are never deleted",
}
ABSENT_FROM_ANSWERS_OF_VERBS = {"payment_status", "fulfillment_status", "fulfillments"}
"""Medusa's verbs answer without them. Source: orders.md 1.1."""


def recorded(name: str) -> dict[str, Any]:
    return dict(json.loads((RECORDED / f"{name}.json").read_text()))


def keys(value: Any, path: str = "") -> Iterator[str]:
    """Every key, as a path; of lists, those of the first."""
    if isinstance(value, list) and value:
        yield from keys(value[0], path)
    elif isinstance(value, dict):
        for name, each in value.items():
            below = f"{path}.{name}" if path else name
            yield below
            if name not in ("metadata", "data"):
                yield from keys(each, below)


def differences(ours: Any, theirs: Any) -> tuple[set[str], set[str]]:
    """What only we have, and what only they have, without what is below of it."""
    own, other = set(keys(ours)), set(keys(theirs))
    return _outermost(own - other), _outermost(other - own)


def _outermost(paths: set[str]) -> set[str]:
    return {path for path in paths if path.rpartition(".")[0] not in paths}


def taxed() -> Order:
    """As Medusa's: nothing is captured, and no promotion or gift card used."""
    return ordered(region_id=selling_region(tax_rate=5).pk)


def test_the_list(admin: Caller) -> None:
    taxed()
    listed, theirs = admin.get("/admin/orders").json(), recorded("admin_orders")["body"]
    assert differences(listed["orders"], theirs["orders"]) == (set(LISTED), set())
    assert set(listed) - set(theirs) == {"estimate_count"}  # interface.md: lists carry it
    assert (listed["offset"], listed["limit"]) == (theirs["offset"], 15)


def test_one_order(admin: Caller) -> None:
    made = taxed()
    found = admin.get(f"/admin/orders/{made.pk}").json()["order"]
    assert differences(found, recorded("admin_order")["body"]["order"]) == ({*LISTED, *PAID}, set(LEFT_OUT))


def test_every_verb_answers_with_the_whole_order(admin: Caller) -> None:
    made = ordered()
    path, item = f"/admin/orders/{made.pk}/fulfillments", {"id": lines(made)[0].pk, "quantity": 1}
    packed = admin.post(path, {"items": [item]}).json()["order"]
    own = packed["fulfillments"][0]["id"]
    answers = {
        "admin_fulfill_part": packed,
        "admin_shipment": admin.post(f"{path}/{own}/shipments", {"items": [item]}).json()["order"],
        "admin_delivered": admin.post(f"{path}/{own}/mark-as-delivered", {}).json()["order"],
        "admin_fulfillment_cancel": admin.post(f"{path}/{pack(made, 1).pk}/cancel", {}).json()["order"],
    }
    assert answers["admin_fulfillment_cancel"] == admin.get(f"/admin/orders/{made.pk}").json()["order"]
    for name, ours in answers.items():
        theirs = recorded(name)["body"]["order"]
        assert set(ours) - set(theirs) == {"currency_code", *ABSENT_FROM_ANSWERS_OF_VERBS}, name
        assert set(theirs) <= set(ours), name
        assert set(theirs["items"][0]) - set(ours["items"][0]) == {"variant"}, name


def test_too_many_units(admin: Caller) -> None:
    made, theirs = ordered(), recorded("admin_fulfill_too_much")
    (line,) = lines(made)
    response = admin.post(f"/admin/orders/{made.pk}/fulfillments", {"items": [{"id": line.pk, "quantity": 99}]})
    message = theirs["body"]["message"].replace(theirs["request"]["body"]["items"][0]["id"], line.pk)
    assert refusal(response) == (theirs["status"], message)
    assert response.json()["type"] == theirs["body"]["type"]
