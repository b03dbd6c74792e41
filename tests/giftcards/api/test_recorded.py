"""The same requests as a running Medusa has answered: where our answers differ, and why.

A difference is a row of the table, with theirs, ours and the reason, or it is a mistake. Ids and moments differ anyway.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from giftcards.cards import redemption
from giftcards.models import StoreCreditAccount
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, spend, store_credit
from tests.recorded.exchanges import exchanges

pytestmark = pytest.mark.django_db

ABSENT = "absent"
Table = dict[str, tuple[Any, Any, str]]
"""By the path in the exchange: theirs, ours, and why ours wins."""

LISTED, UNLISTED = "the public interface lists it", "the public interface does not list it"
CARD: Table = {
    "customer_id": (ABSENT, None, LISTED),
    "reference": (ABSENT, None, LISTED),
    "reference_id": (ABSENT, None, LISTED),
}
SEEN_CARD = {
    **CARD,
    "note": ("hello", None, "for whom the card belongs to, and not for every caller"),
}
ACCOUNT: Table = {
    "customer.default_billing_address_id": (ABSENT, None, LISTED),
    "customer.default_shipping_address_id": (ABSENT, None, LISTED),
    "customer.created_by": (None, ABSENT, "no store caller sees it"),
}


def below(path: str, table: Table) -> Table:
    return {f"{path}.{name}": row for name, row in table.items()}


EXCHANGES: dict[str, Table] = {
    "gc_get_code": below("body.gift_card", SEEN_CARD),
    "gc_fields_star": below("body.gift_card", SEEN_CARD),
    "gc_fields_lineitem": below(
        "body.gift_card",
        {
            **SEEN_CARD,
            "line_item": (ABSENT, None, "the key stays, what is private is null"),
            "line_item_id": (None, ABSENT, UNLISTED),
        },
    ),
    "gc_get_unknown": {
        "body.message": (
            "Gift card not found",
            "Gift card with id: NOPE was not found",
            "by the public interface, the message says that an entity with the given id does not exist",
        )
    },
    "sca_list": {
        "body.estimate_count": (ABSENT, 1, "lists of the public interface carry it"),
        **below("body.store_credit_accounts[0]", ACCOUNT),
    },
    "sca_get": below("body.store_credit_account", ACCOUNT),
    "sca_get_unknown": {
        "body.message": (
            "StoreCreditAccount id not found: sc_acc_x",
            "Store credit account with id: sc_acc_x was not found",
            "one wording for all that is not there",
        )
    },
    "sca_list_noauth": {
        "content_type": ("application/json", "text/plain", "the public interface has a 401 in plain text"),
        "body.message": ("Unauthorized", ABSENT, "the same"),
        "body": (ABSENT, "Unauthorized", "the same"),
    },
}
ENTRIES = "sca_fields_trx"
"""Theirs lists the entries of accounts, which the public interface does not have: ours are in transaction_groups."""


@pytest.fixture
def caller() -> Caller:
    """Ann, with what Medusa's Ann had; Medusa's card is somebody else's."""
    ann = CustomerFactory(email="ann@test.com", first_name="Ann", last_name="Lee")
    card = gift_card(50, code="GIFT-DM6G-LM7F-HBDM-6GLM", note="hello")
    redemption.redeem(actor=redeemer(CustomerFactory()), id_or_code=card.pk)
    for amount in ("100", "0.1", "0.2"):
        account = store_credit(ann, amount)
    spend(account.pk, 30, order_id="cart_1")
    StoreCreditAccount.objects.update(metadata={"m": 1})
    return signed_in(ann)


@pytest.mark.parametrize("name", EXCHANGES)
def test_an_answer_differs_from_the_peers_as_the_table_says(name: str, caller: Caller) -> None:
    recorded = _recorded(name)
    assert _differences(_answer(recorded), _reported(caller, recorded)) == _pairs(EXCHANGES[name])


def test_every_recorded_exchange_stands_in_the_table() -> None:
    assert set(exchanges("giftcards")) == {*EXCHANGES, ENTRIES, "redeem_workflow"}


def test_entries_are_no_relation_of_an_account(caller: Caller) -> None:
    reported = _reported(caller, _recorded(ENTRIES))
    assert (reported["status"], reported["body"]) == (
        400,
        {
            "type": "invalid_data",
            "message": "Requested fields [transactions.amount, transactions.type] are not valid",
        },
    )


UNSHOWN_CARD: Table = {
    "customer_id": (ABSENT, None, LISTED),
    "line_item_id": (None, ABSENT, UNLISTED),
    "deleted_at": (None, ABSENT, UNLISTED),
    "raw_value.value": ("25", ABSENT, UNLISTED),
    "raw_value.precision": (20, ABSENT, UNLISTED),
    "metadata": (None, ABSENT, "the public interface does not list it: it is shown by request"),
}
REDEMPTION: dict[str, Table] = {
    "before": UNSHOWN_CARD,
    "after": {
        **UNSHOWN_CARD,
        "customer_id": (ABSENT, "an id", "it belongs to who redeemed it"),
    },
    "redeem_again": {"type": ("invalid_data", "not_allowed", "the card is valid, but its status allows no more")},
    "redeem_unknown": {
        "message": (
            "GiftCard id not found: gcard_x",
            "Gift card with id: gcard_x was not found",
            "one wording for all that is not there",
        )
    },
    "redeem_result": {
        "code": ("SC-R4UQ-JCCN-S6R4-UQJC", ABSENT, "the public interface does not list it: a group has the code"),
        "balance": (ABSENT, 25, LISTED),
        "transactions[0]": ("an entry", ABSENT, "the public interface lists groups, and no entries"),
        "transaction_groups[0]": (ABSENT, "gift_card:an id", LISTED),
    },
}


def test_a_redemption_differs_from_the_peers_workflow_as_the_table_says() -> None:
    recorded = _recorded("redeem_workflow")
    caller = signed_in(CustomerFactory())
    named = f"/store/gift-cards/{gift_card(25, code=recorded['before']['code']).code}"
    reported = {"before": caller.get(named).json()["gift_card"]}
    assert caller.post(f"{named}/redeem").status_code == 200
    reported["after"] = caller.get(named).json()["gift_card"]
    reported["redeem_again"] = caller.post(f"{named}/redeem").json()
    reported["redeem_unknown"] = caller.post("/store/gift-cards/gcard_x/redeem").json()
    chosen = "fields=credits,debits,balance,transaction_groups.code"
    (reported["redeem_result"],) = caller.get("/store/store-credit-accounts", chosen).json()["store_credit_accounts"]
    (group,) = reported["redeem_result"]["transaction_groups"]
    reported["redeem_result"]["transaction_groups"] = [group["code"]]
    recorded["redeem_result"]["transactions"] = ["an entry"]
    for step, table in REDEMPTION.items():
        assert _differences(recorded[step], reported[step]) == _pairs(table), step


def _pairs(table: Table) -> dict[str, tuple[Any, Any]]:
    return {path: (theirs, ours) for path, (theirs, ours, _) in table.items()}


def _differences(theirs: Any, ours: Any) -> dict[str, tuple[Any, Any]]:
    """The leaves that are not equal, by their paths."""
    reported = dict(_leaves(theirs)), dict(_leaves(ours))
    pairs = {
        path: (reported[0].get(path, ABSENT), reported[1].get(path, ABSENT)) for path in {**reported[0], **reported[1]}
    }
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{place}]")
    else:
        yield path, _without_what_differs_anyway(value)


def _without_what_differs_anyway(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "a moment", re.sub(r"\b[a-z]+(_acc)?_\w{26}", "an id", value))


def _recorded(name: str) -> Any:
    return exchanges("giftcards")[name]


def _answer(recorded: Any) -> dict[str, Any]:
    return {
        "status": recorded["status"],
        "content_type": recorded["content_type"].partition(";")[0],
        "body": recorded["body"],
    }


def _reported(caller: Caller, recorded: Any) -> dict[str, Any]:
    """What ours answers to the recorded request."""
    asked = recorded["request"]
    account_id = StoreCreditAccount.objects.get(customer__email="ann@test.com").pk
    path = re.sub(r"sc_acc_\w{26}", account_id, asked["path"])
    credentials = {} if "Authorization" in asked["headers"] else {"Authorization": None}
    response = caller.send(asked["method"], path, **credentials)
    is_json = response["Content-Type"] == "application/json"
    body = response.json() if is_json else response.content.decode()
    return {"status": response.status_code, "content_type": response["Content-Type"], "body": body}
