"""The same requests as a running Medusa has answered: where our answers differ, and why."""

from typing import Any

from carts.lines import line_change
from carts.models import Cart, LineItem
from tests.contract.callers import Caller
from tests.factories.carts import shopper
from tests.payments.calls import PATH, opened, started
from tests.recorded.exchanges import exchanges

BY_THE_INTERFACE = "the public interface lists it among the fields of the resource"
NOT_LISTED = "the public interface does not list it"
DEVIATIONS: dict[str, dict[str, str]] = {
    # Where our answers differ from Medusa's recorded ones by a key, and why.
    "collection: beside": {
        "authorized_amount": BY_THE_INTERFACE,
        "captured_amount": BY_THE_INTERFACE,
        "refunded_amount": BY_THE_INTERFACE,
        "completed_at": BY_THE_INTERFACE,
        "status": BY_THE_INTERFACE,
        "metadata": BY_THE_INTERFACE,
        "created_at": BY_THE_INTERFACE,
        "updated_at": BY_THE_INTERFACE,
    },
    "collection: without": {},
    "session: beside": {},
    "session: without": {
        "payment_collection_id": NOT_LISTED,
        "payment": "a relation, which is shown on demand",
        "metadata": NOT_LISTED,
        "raw_amount": NOT_LISTED,
        "created_at": NOT_LISTED,
        "updated_at": NOT_LISTED,
        "deleted_at": NOT_LISTED,
    },
    "list: beside": {"estimate_count": "lists of the public interface carry it"},
    "list: without": {},
}


class TestAsRecorded:
    def test_our_answers_have_the_peers_keys_but_for_these(self, store: Caller, cart: Cart) -> None:
        collection = recorded("pc_happy")["body"]["payment_collection"]
        session = recorded("ps_happy")["body"]["payment_collection"]["payment_sessions"][0]
        own = opened(store, cart)
        (own_session,) = started(store, own["id"])["payment_sessions"]
        listed = store.get("/store/payment-providers", f"region_id={cart.region_id}").json()
        pairs = {
            "collection": (own, collection),
            "session": (own_session, session),
            "list": (listed, recorded("pp_list")["body"]),
        }
        for name, (ours, theirs) in pairs.items():
            assert set(ours) - set(theirs) == set(DEVIATIONS[f"{name}: beside"])
            assert set(theirs) - set(ours) == set(DEVIATIONS[f"{name}: without"])
        assert list(listed["payment_providers"][0]) == ["id", "is_enabled"]
        assert (own["amount"], session["status"], own_session["status"]) == (50, "pending", "pending")

    def test_our_refusals_are_the_peers(self, store: Caller, cart: Cart) -> None:
        reported = recorded("pc_unknown_cart")
        response = store.post(PATH, reported["request"]["body"])
        theirs = {**reported["body"], "message": "Cart with id: cart_x was not found"}  # one wording
        assert (response.status_code, response.json()) == (reported["status"], theirs)
        reported = recorded("pc_empty")
        response = store.post(PATH, reported["request"]["body"])
        assert (response.status_code, response.json()) == (reported["status"], reported["body"])
        reported = recorded("ps_bad_provider")
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        response = store.post(path, reported["request"]["body"])
        theirs = {
            **reported["body"],
            "message": reported["body"]["message"].replace(region_of(reported), cart.region_id),
        }
        assert (response.status_code, response.json()) == (reported["status"], theirs)

    def test_what_the_cart_costs_is_asked_for_again(self, store: Caller, cart: Cart) -> None:
        """pc_again, pc_after_cart_change: the same collection, by the amount that the cart has then."""
        assert opened(store, cart) == opened(store, cart)
        line = LineItem.objects.get(cart=cart)
        line_change.change(actor=shopper(), cart_id=cart.pk, line_id=line.pk, quantity=2)
        assert (opened(store, cart)["amount"], opened(store, cart)["payment_sessions"]) == (100, [])


def recorded(name: str) -> dict[str, Any]:
    return dict(exchanges("payments")[name])


def region_of(reported: dict[str, Any]) -> str:
    """Medusa's, named last in its message."""
    return str(reported["body"]["message"]).rstrip(".").rpartition(" ")[2]
