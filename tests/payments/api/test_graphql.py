"""Paying in GraphQL answers as over REST, for as many statements."""

from typing import Any

import pytest

from carts.models import Cart
from payments.api.resources import PAYMENT_COLLECTIONS, PAYMENT_PROVIDERS
from payments.models import PaymentSession
from payments.providers.base import Declined
from payments.states import Act
from tests.architecture.test_query_budgets import statements
from tests.contract.callers import Caller, importer
from tests.factories import payments as make
from tests.factories.apikeys import secret_key
from tests.factories.customers import CustomerFactory
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data, failures
from tests.kit.graphql.writing import members, page
from tests.payments.api.test_visibility import signed_in
from tests.payments.providers import FAKE, OTHER, FakeProvider

PATH = "/store/payment-collections"
OPEN = """mutation ($cart: ID!) {
  createPaymentCollection(input: {cartId: $cart}) { payment_collection: paymentCollection { %s } } }"""
START = """mutation ($id: ID!, $provider: ID!, $data: JSON) {
  createPaymentSession(id: $id, input: {providerId: $provider, data: $data}) {
    payment_collection: paymentCollection { %s } } }"""
DEEP = (
    "id,*payment_providers,*payment_sessions,*payment_sessions.payment,payment_sessions.payment_collection.id,"
    "payments.captures.payment.id,*payments.refunds.refund_reason,payments.payment_session.status"
)


def asking(document: str, fields: str | None = None) -> str:
    return document % members(PAYMENT_COLLECTIONS.field_set.parse(fields))


@pytest.fixture
def cart(fake: FakeProvider) -> Cart:
    """A guest's, over 50 dollars."""
    made = make.payable_cart(provider_id=FAKE)
    made.region.payment_providers.add(OTHER)
    return made


@pytest.mark.parametrize("fields", [None, "id", DEEP])
class TestTwins:
    def test_opening(self, store: Caller, cart: Cart, fields: str | None) -> None:
        store.post(PATH, {"cart_id": cart.pk})
        wanted = "" if fields is None else f"fields={fields}"
        with statements() as by_rest:
            rest = store.post(PATH, {"cart_id": cart.pk}, query=wanted)
        with statements() as by_graphql:
            reported = ask(store, asking(OPEN, fields), {"cart": cart.pk})
        assert data(reported)["createPaymentCollection"] == rest.json()
        assert len(by_graphql) == len(by_rest) + 1  # REST looks for a collection that is there by its answer

    def test_starting(self, store: Caller, cart: Cart, fields: str | None) -> None:
        collection = make.session(make.collection(cart), provider_id=FAKE).collection
        wanted = "" if fields is None else f"fields={fields}"
        path = f"{PATH}/{collection.pk}/payment-sessions"
        with statements() as by_rest:
            rest = store.post(path, {"provider_id": FAKE}, query=wanted)
        with statements() as by_graphql:
            reported = ask(store, asking(START, fields), {"id": collection.pk, "provider": FAKE})
        assert data(reported)["createPaymentSession"] == rest.json()
        assert len(by_graphql) == len(by_rest) > 0

    def test_money_that_has_moved(self, store: Caller, fake: FakeProvider, fields: str | None) -> None:
        cart = make.captured_payment(captured=30, provider_id=FAKE).collection.cart
        rest = store.post(PATH, {"cart_id": cart.pk}, query="" if fields is None else f"fields={fields}")
        reported = ask(store, asking(OPEN, fields), {"cart": cart.pk})
        assert data(reported)["createPaymentCollection"] == rest.json()


def test_a_new_collection_and_its_session(store: Caller, fake: FakeProvider, cart: Cart) -> None:
    opened = data(ask(store, asking(OPEN), {"cart": cart.pk}))["createPaymentCollection"]["payment_collection"]
    assert (opened["amount"], opened["payment_sessions"]) == (50, [])
    sent = {"id": opened["id"], "provider": FAKE, "data": {"method": "card"}}
    started = data(ask(store, asking(START), sent))["createPaymentSession"]["payment_collection"]
    assert [each["status"] for each in started["payment_sessions"]] == ["pending"]
    assert fake.calls[0].charge.sent == {"method": "card"}


def test_providers_of_a_region(store: Caller, cart: Cart) -> None:
    for query, arguments in (
        (f"region_id={cart.region_id}", f'regionId: "{cart.region_id}"'),
        (
            f"region_id={cart.region_id}&order=-id&limit=1&offset=1",
            f'regionId: "{cart.region_id}", order: "-id", limit: 1, offset: 1',
        ),
        ("region_id=nobody", 'regionId: "nobody"'),
    ):
        rest = store.get("/store/payment-providers", query)
        reported = ask(store, page(PAYMENT_PROVIDERS, "paymentProviders", arguments, None))
        assert data(reported)["paymentProviders"] == rest.json()


@pytest.mark.parametrize(
    "case",
    [
        (OPEN, PATH, {"cart_id": "cart_x"}, {"cart": "cart_x"}),
        (OPEN, PATH, {"cart_id": "x" * 5000}, {"cart": "x" * 5000}),
        (START, f"{PATH}/nobody/payment-sessions", {"provider_id": FAKE}, {"id": "nobody", "provider": FAKE}),
        (START, f"{PATH}/{{id}}/payment-sessions", {"provider_id": "pp_x"}, {"id": "{id}", "provider": "pp_x"}),
    ],
    ids=["cart", "long id", "collection", "provider"],
)
def test_refusals_are_equal(store: Caller, cart: Cart, case: tuple[str, str, Any, dict[str, str]]) -> None:
    document, path, body, variables = case
    collection = make.collection(cart)
    rest = store.post(path.format(id=collection.pk), body).json()
    reported = ask(store, asking(document), {name: value.format(id=collection.pk) for name, value in variables.items()})
    ((_, message, extensions),) = failures(reported)
    assert (message, extensions) == (rest["message"], {"type": rest["type"]})


def test_a_provider_that_refuses_or_does_not_answer(store: Caller, fake: FakeProvider, cart: Cart) -> None:
    collection = make.collection(cart)
    fake.says(Act.START, ConnectionError(), Declined("No funds"))
    sent = {"id": collection.pk, "provider": FAKE}
    for message, kind in (
        ("The payment provider pp_double_test is not responding; it will be retried automatically", "unavailable"),
        ("The payment provider refused: No funds", "invalid_data"),
    ):
        ((path, reported, extensions),) = failures(ask(store, asking(START), sent))
        assert (path, reported, extensions.pop("type")) == ("createPaymentSession", message, kind)
        assert extensions == ({"retryAfter": 2} if kind == "unavailable" else {})


def test_a_key_is_answered_once_and_continues(store: Caller, fake: FakeProvider, cart: Cart) -> None:
    collection = make.collection(cart)
    fake.loses_answers(Act.START)
    sent = {"id": collection.pk, "provider": FAKE}
    answers = [ask(store, asking(START), sent, Idempotency_Key="k" * 20) for _ in range(3)]
    assert ["errors" in each.json() for each in answers] == [True, False, False]
    assert answers[1].content == answers[2].content
    assert answers[2]["Idempotent-Replayed"] == "true"
    assert (len({call.key for call in fake.calls}), PaymentSession.objects.count()) == (1, 1)
    other = ask(store, asking(START), {**sent, "provider": OTHER}, Idempotency_Key="k" * 20)
    assert other.status_code == 422


def test_whose_cart_it_is_counts_here_too(store: Caller, fake: FakeProvider) -> None:
    owner = CustomerFactory()
    collection = make.session(provider_id=FAKE, customer_id=owner.pk).collection
    sent = {"id": collection.pk, "provider": FAKE}
    message = f"Payment collection with id: {collection.pk} was not found"
    for caller in (store, signed_in(CustomerFactory())):
        assert [each[1] for each in failures(ask(caller, asking(START), sent))] == [message]
    (session,) = data(ask(signed_in(owner), asking(START), sent))["createPaymentSession"]["payment_collection"][
        "payment_sessions"
    ]
    assert session["context"] == {"customer": {"id": owner.pk}}
    bare = data(ask(store, asking(OPEN), {"cart": collection.cart_id}))["createPaymentCollection"]
    assert bare["payment_collection"]["payment_sessions"] == []
    another = ask(signed_in(CustomerFactory()), asking(OPEN), {"cart": collection.cart_id})
    assert [each[1] for each in failures(another)] == [f"Cart with id: {collection.cart_id} was not found"]


def test_staff_pay_as_any_shopper_does(fake: FakeProvider) -> None:
    """What the store's own operations show, they show as to a guest; staff look at payments on the admin site."""
    collection = make.session(provider_id=FAKE, customer_id=CustomerFactory().pk).collection
    caller = importer(secret_key(UserFactory(is_superuser=True)))
    reported = data(ask(caller, asking(OPEN), {"cart": collection.cart_id}))["createPaymentCollection"]
    assert (reported["payment_collection"]["amount"], reported["payment_collection"]["payment_sessions"]) == (50, [])
    refused = failures(ask(caller, asking(START), {"id": collection.pk, "provider": FAKE}))
    assert [each[2] for each in refused] == [{"type": "not_found"}]
