"""The routes of transfers, in REST and GraphQL: what strangers see of an order."""

from typing import Any

import pytest
from django.http import HttpResponse

from customers.models import Customer
from kit.messages.mails.models import Mail
from orders.mails.transfers import render_transfer_mail
from orders.models import Order, OrderTransfer
from tests.contract.callers import Caller, refusal
from tests.contract.callers import invalid as invalid_request
from tests.customers.conftest import signed_in
from tests.factories.customers import CustomerFactory
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized
from tests.orders.outbox import mails
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

SHOWN = {"id", "display_id", "status", "created_at", "email"}
MUTATION = """mutation ($id: ID!, $input: {name}Input!) {{ {verb}OrderTransfer(id: $id, input: $input) {{ order {{
  __typename id displayId status email total customerId items {{ id }} summary {{ paidTotal }}
  shippingAddress {{ city }} }} }} }}"""
CANCEL = "mutation ($id: ID!) { cancelOrderTransfer(id: $id) { order { id email total } } }"


def call(caller: Caller, made: Order, verb: str, body: Any = None, query: str = "", **headers: str) -> HttpResponse:
    return caller.post(f"/store/orders/{made.pk}/transfer/{verb}", body or {}, query=query, **headers)


def token_of(made: Order) -> str:
    mail = render_transfer_mail(OrderTransfer.objects.get(order=made, status="requested").pk, 1)
    assert mail is not None
    return str(mail.context["token"])


def stub_of(made: Order, masked: str) -> dict[str, Any]:
    return {
        "id": made.pk,
        "display_id": made.display_id,
        "status": "pending",
        "created_at": made.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "email": masked,
    }


def is_stub(answer: HttpResponse, made: Order, masked: str) -> bool:
    """Whether the answer says nothing of the order beyond the decision's five fields."""
    assert answer.status_code == 200, answer.content
    assert answer["Cache-Control"] == "no-store"
    order = answer.json()["order"]
    assert {"items", "summary", "shipping_address", "payment_collections", "total", "fulfillments"} <= order.keys()
    assert {name: value for name, value in order.items() if value is not None} == stub_of(made, masked)
    return True


# --- The stub ---------------------------------------------------------------------------------------------------------


def test_24_a_request_shows_a_stub_whether_the_address_has_an_account_or_not(ann: Customer, by_bob: Caller) -> None:
    """Ann has an account, and `anna@example.com` has none; one order is a customer's, the others are guests'."""
    for made in (placed(customer=ann), placed(email="ann@example.com"), placed(email="anna@example.com")):
        assert is_stub(call(by_bob, made, "request", {"description": "mine"}), made, "a•••@example.com")


def test_the_requester_sees_a_stub_of_a_cancellation_too(ann: Customer, by_bob: Caller) -> None:
    made = placed(customer=ann)
    call(by_bob, made, "request")
    assert is_stub(call(by_bob, made, "cancel"), made, "a•••@example.com")


def test_the_storefronts_selection_of_a_stub(ann: Customer, by_bob: Caller) -> None:
    made = placed(customer=ann)
    answer = call(by_bob, made, "request", query="fields=id,%20email")
    assert answer.json() == {"order": {"id": made.pk, "email": "a•••@example.com"}}


def test_a_wrong_selection_is_refused_before_anything_is_done(by_bob: Caller) -> None:
    made = placed()
    assert refusal(call(by_bob, made, "request", query="fields=id,secret"))[0] == 400
    assert (mails(), OrderTransfer.objects.count()) == ([], 0)


def test_who_accepts_without_the_new_owners_sign_in_sees_a_stub(ann: Customer, by_ann: Caller, by_bob: Caller) -> None:
    made = placed(customer=ann)
    call(by_bob, made, "request")
    assert is_stub(call(by_ann, made, "accept", {"token": token_of(made)}), made, "a•••@example.com")


def test_the_new_owner_accepts_and_sees_the_order(bob: Customer, by_bob: Caller, guest: Caller) -> None:
    made = placed()
    call(by_bob, made, "request", {"update_order_email": True})
    shown = call(by_bob, made, "accept", {"token": token_of(made)}, query="fields=*items,+customer_id")
    order = shown.json()["order"]
    assert (order["email"], order["customer_id"], order["total"]) == ("bob@example.com", bob.pk, 10)
    assert order == by_bob.get(f"/store/orders/{made.pk}", "fields=*items,+customer_id").json()["order"]
    assert guest.get(f"/store/orders/{made.pk}").status_code == 404


def test_a_guest_declines_and_sees_a_stub_and_the_owner_the_order(
    ann: Customer, by_ann: Caller, by_bob: Caller, guest: Caller
) -> None:
    made = placed(customer=ann)
    call(by_bob, made, "request")
    assert is_stub(call(guest, made, "decline", {"token": token_of(made)}), made, "a•••@example.com")
    call(by_bob, made, "request")
    assert call(by_ann, made, "decline", {"token": token_of(made)}).json()["order"]["total"] == 10


# --- Refusals ---------------------------------------------------------------------------------------------------------


def test_requesting_and_canceling_need_a_customer(guest: Caller) -> None:
    made = placed()
    for verb in ("request", "cancel"):
        assert call(guest, made, verb).status_code == 401


@pytest.mark.parametrize("verb", ["accept", "decline"])
def test_a_missing_token_is_named(verb: str, guest: Caller) -> None:
    answer = call(guest, placed(), verb)
    assert answer.json()["type"] == "invalid_data"
    assert refusal(answer) == invalid_request("Field 'token' is required")
    assert refusal(call(guest, placed(), verb, {"token": 7})) == invalid_request(
        "Expected type: 'string' for field 'token', got: '7'"
    )


def test_refusals_have_the_recorded_types_and_texts(ann: Customer, by_ann: Caller, by_bob: Caller) -> None:
    made = placed(customer=ann)
    owned = call(by_ann, made, "request")
    assert owned.json() == {
        "type": "invalid_data",
        "message": f"Order: {made.pk} already belongs to customer: {ann.pk}",
    }
    call(by_bob, made, "request")
    bad = call(by_bob, made, "accept", {"token": "nope"})
    assert (bad.status_code, bad.json()) == (400, {"type": "not_allowed", "message": "Invalid token."})
    other = call(by_ann, made, "cancel")
    assert (other.status_code, other.json()["type"]) == (400, "not_allowed")


def test_an_unknown_order_is_404_and_many_of_them_are_429(settings: Any, by_bob: Caller, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (3, 10**9), "order_transfers": (100, 10**9)}
    body = {"token": "x"}
    for caller, verb in ((by_bob, "request"), (guest, "accept")):
        codes = [caller.post(f"/store/orders/order_{n}/transfer/{verb}", body if verb == "accept" else {}).status_code
                 for n in range(4)]  # fmt: skip
        assert codes == [404, 404, 404, 429]


def test_an_account_may_make_so_many_requests(settings: Any, by_bob: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "order_transfers": (2, 10**9)}
    orders = [placed() for _ in range(3)]
    assert [call(by_bob, made, "request").status_code for made in orders] == [200, 200, 429]
    assert call(signed_in(CustomerFactory()), orders[2], "request").status_code == 200
    assert Mail.objects.count() == 3


def test_the_limit_counts_refused_requests_and_holds_for_both_transports(
    settings: Any, ann: Customer, by_ann: Caller
) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "order_transfers": (1, 10**9)}
    own, other = placed(customer=ann), placed()
    assert call(by_ann, own, "request").status_code == 400
    refused = ask(by_ann, MUTATION.format(name="TransferRequest", verb="request"), {"id": other.pk, "input": {}})
    [(_, message, _)] = failures(refused)
    assert message == "Too many attempts, try again later"
    assert not OrderTransfer.objects.exists()


def test_a_repeated_request_with_its_key_asks_once(settings: Any, by_bob: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "order_transfers": (1, 10**9)}
    made = placed()
    first, second = (call(by_bob, made, "request", Idempotency_Key="k" * 20) for _ in range(2))
    assert (first.status_code, second.content, second["Idempotent-Replayed"]) == (200, first.content, "true")
    assert len(mails()) == 1


# --- GraphQL ----------------------------------------------------------------------------------------------------------


def test_the_same_in_graphql(ann: Customer, bob: Customer, by_bob: Caller, guest: Caller) -> None:
    made = placed(customer=ann)
    request = MUTATION.format(name="TransferRequest", verb="request")
    shown = data(ask(by_bob, request, {"id": made.pk, "input": {"description": "mine"}}))
    stub = {
        "__typename": "Order",
        "id": made.pk,
        "displayId": made.display_id,
        "status": "pending",
        "email": "a•••@example.com",
        **dict.fromkeys(("total", "customerId", "summary", "shippingAddress")),
        "items": [],
    }
    assert shown["requestOrderTransfer"]["order"] == stub
    assert data(ask(by_bob, CANCEL, {"id": made.pk}))["cancelOrderTransfer"]["order"] == {
        "id": made.pk,
        "email": "a•••@example.com",
        "total": None,
    }
    ask(by_bob, request, {"id": made.pk, "input": {}})
    decline = MUTATION.format(name="TransferToken", verb="decline")
    answer = data(ask(guest, decline, {"id": made.pk, "input": {"token": token_of(made)}}))
    assert answer["declineOrderTransfer"]["order"] == stub
    ask(by_bob, request, {"id": made.pk, "input": {}})
    accept = MUTATION.format(name="TransferToken", verb="accept")
    assert failures(ask(guest, accept, {"id": made.pk, "input": {"token": "nope"}})) == [
        ("acceptOrderTransfer", "Invalid token.", {"type": "not_allowed"})
    ]
    answer = data(ask(by_bob, accept, {"id": made.pk, "input": {"token": token_of(made)}}))
    order = answer["acceptOrderTransfer"]["order"]
    assert (order["customerId"], order["total"], len(order["items"])) == (bob.pk, 10, 1)


def test_graphql_demands_a_customer_to_request_and_cancel(guest: Caller) -> None:
    made = placed()
    request = MUTATION.format(name="TransferRequest", verb="request")
    assert is_unauthorized(ask(guest, request, {"id": made.pk, "input": {}}))
    assert is_unauthorized(ask(guest, CANCEL, {"id": made.pk}))
