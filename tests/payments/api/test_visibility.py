"""Who pays, and who sees what of it, as a table over REST."""

from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart
from customers.models import Customer
from kit.domain.actor import ANONYMOUS, SYSTEM, Actor
from payments.models import Capture, Payment, PaymentCollection, PaymentSession, Refund
from payments.movements import refunding
from shop.models import SalesChannel
from tests.contract.callers import Caller, refusal, storefront
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.factories.apikeys import publishable_key
from tests.factories.carts import shopper
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.shop import SalesChannelFactory
from tests.payments.providers import FAKE, FakeProvider

PATH = "/store/payment-collections"
EVERYTHING = "fields=*payment_sessions,*payments,*payments.captures,*payments.refunds"


def signed_in(customer: Customer, *channels: SalesChannel) -> Caller:
    key = publishable_key(*channels).token
    return Caller(x_publishable_api_key=key, Authorization=f"Bearer {token_of(customer)}")


@pytest.fixture
def owner(db: None) -> Customer:
    return CustomerFactory()


@pytest.fixture
def callers(owner: Customer) -> dict[str, Caller]:
    """Each with a key of the default channel, but for the last two."""
    other_channel = SalesChannelFactory()
    return {
        "owner": signed_in(owner),
        "guest": storefront(publishable_key()),
        "another": signed_in(CustomerFactory()),
        "guest elsewhere": storefront(publishable_key(other_channel)),
        "owner elsewhere": signed_in(owner, other_channel),
    }


CUSTOMERS = {"owner": "all", "guest": "no sessions", "another": 404, "guest elsewhere": 404, "owner elsewhere": 404}
GUESTS = {"owner": "all", "guest": "all", "another": "all", "guest elsewhere": 404, "owner elsewhere": 404}
Case = tuple[str, str, Any]
WHOSE: list[Case] = [
    *(("customer's", who, seen) for who, seen in CUSTOMERS.items()),
    *(("guest's", who, seen) for who, seen in GUESTS.items()),
]


def paid_cart(owner: Customer | None) -> Cart:
    """Of which 30 of 50 dollars were taken and 10 given back, with a note."""
    payment = make.captured_payment(captured=30, provider_id=FAKE, customer_id=owner.pk if owner else None)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10), note="Sorry")
    Capture.objects.update(created_by="user_01TEST")
    Refund.objects.update(created_by="user_01TEST")
    cart: Cart = payment.collection.cart
    return cart


@pytest.mark.parametrize("case", WHOSE, ids=lambda case: f"a {case[0]} to {case[1]}")
class TestTable:
    def test_a_collection_that_is_there(
        self, fake: FakeProvider, owner: Customer, callers: dict[str, Caller], case: Case
    ) -> None:
        whose, who, seen = case
        cart = paid_cart(owner if whose == "customer's" else None)
        response = callers[who].post(PATH, {"cart_id": cart.pk}, query=EVERYTHING)
        if seen == 404:
            assert refusal(response) == (404, f"Cart with id: {cart.pk} was not found")
            return
        shown = response.json()["payment_collection"]
        assert (shown["amount"], shown["captured_amount"]) == (50, 30)
        visible = 1 if seen == "all" else 0
        assert (len(shown["payment_sessions"]), len(shown["payments"])) == (visible, visible)

    def test_a_new_collection(
        self, fake: FakeProvider, owner: Customer, callers: dict[str, Caller], case: Case
    ) -> None:
        whose, who, seen = case
        cart = make.payable_cart(customer_id=owner.pk if whose == "customer's" else None)
        response = callers[who].post(PATH, {"cart_id": cart.pk})
        if seen == 404:
            assert refusal(response) == (404, f"Cart with id: {cart.pk} was not found")
            assert not PaymentCollection.objects.exists()
        else:
            assert response.json()["payment_collection"]["amount"] == 50

    def test_starting_a_session(
        self, fake: FakeProvider, owner: Customer, callers: dict[str, Caller], case: Case
    ) -> None:
        whose, who, seen = case
        customer_id = owner.pk if whose == "customer's" else None
        collection = make.collection(provider_id=FAKE, customer_id=customer_id)
        path = f"{PATH}/{collection.pk}/payment-sessions"
        response = callers[who].post(path, {"provider_id": FAKE})
        if seen == "all":
            (session,) = response.json()["payment_collection"]["payment_sessions"]
            assert session["context"] == ({"customer": {"id": owner.pk}} if customer_id else {})
            assert fake.calls[-1].charge.customer_id == customer_id
        else:
            assert refusal(response) == (404, f"Payment collection with id: {collection.pk} was not found")
            assert (fake.calls, PaymentSession.objects.exists()) == ([], False)

    def test_the_carts_own_answer(
        self, fake: FakeProvider, owner: Customer, callers: dict[str, Caller], case: Case
    ) -> None:
        whose, who, seen = case
        cart = paid_cart(owner if whose == "customer's" else None)
        response = callers[who].get(f"/store/carts/{cart.pk}")
        if seen == "all":
            assert len(response.json()["cart"]["payment_collection"]["payment_sessions"]) == 1
        else:
            assert response.status_code == 404

    def test_what_is_the_shops_own_nobody_sees(
        self, fake: FakeProvider, owner: Customer, callers: dict[str, Caller], case: Case
    ) -> None:
        whose, who, seen = case
        cart = paid_cart(owner if whose == "customer's" else None)
        response = callers[who].post(PATH, {"cart_id": cart.pk}, query=EVERYTHING)
        for secret in (b"user_01TEST", b"Sorry", b"private"):
            assert secret not in response.content
        if seen != "all":
            assert b"secret of" not in response.content
            return
        shown = response.json()["payment_collection"]
        (session,), (payment,) = shown["payment_sessions"], shown["payments"]
        assert session["data"] == {"client_secret": f"secret of {session['id']}"}
        owned = whose == "customer's"
        assert session["context"] == ({"customer": {"id": owner.pk}} if owned else {})
        (capture,), (refund,) = payment["captures"], payment["refunds"]
        assert (payment["data"], capture["created_by"], refund["created_by"], refund["note"]) == ({}, None, None, None)


def test_a_guest_with_an_address_of_e_mail_is_still_a_guest(fake: FakeProvider, callers: dict[str, Caller]) -> None:
    """A customer without an account signs in nowhere: the cart answers to anyone who knows its id."""
    guest = CustomerFactory(has_account=False)
    collection = make.collection(provider_id=FAKE)
    Cart.objects.update(customer=guest)
    for who in ("guest", "another"):
        path = f"{PATH}/{collection.pk}/payment-sessions"
        (session,) = callers[who].post(path, {"provider_id": FAKE}).json()["payment_collection"]["payment_sessions"]
        assert session["context"] == {}


def test_a_session_that_was_canceled_shows_to_nobody(fake: FakeProvider, callers: dict[str, Caller]) -> None:
    session = make.session(provider_id=FAKE)
    PaymentSession.objects.update(status="canceled", deleted_at=session.created_at)
    response = callers["guest"].post(PATH, {"cart_id": session.collection.cart_id})
    assert response.json()["payment_collection"]["payment_sessions"] == []


PARTS: list[Any] = [PaymentSession, Payment, Capture, Refund]
VIEWER = staff_actor("payments.view_paymentcollection")


class TestRows:
    """The read gate itself."""

    @pytest.fixture
    def cart(self, fake: FakeProvider, owner: Customer) -> Cart:
        return paid_cart(owner)

    @pytest.mark.parametrize("model", [PaymentCollection, *PARTS])
    def test_staff_who_may_view_collections_see_all(self, cart: Cart, model: Any) -> None:
        assert model.objects.visible_to(VIEWER).count() == model.objects.visible_to(SYSTEM).count() == 1

    @pytest.mark.parametrize("model", [PaymentCollection, *PARTS])
    def test_staff_who_may_not_see_what_guests_see(self, cart: Cart, model: Any) -> None:
        for permissions in ((), ("payments.view_payment", "carts.view_cart")):
            assert model.objects.visible_to(staff_actor(*permissions)).count() == 0

    @pytest.mark.parametrize("model", PARTS)
    def test_parts_are_their_owners(self, cart: Cart, owner: Customer, model: Any) -> None:
        assert model.objects.visible_to(shopper(customer_id=owner.pk)).count() == 1
        strangers = [ANONYMOUS, shopper(), shopper(customer_id="cus_other"), Actor("customer", owner.pk, ())]
        assert [model.objects.visible_to(each).count() for each in strangers] == [0, 0, 0, 0]

    def test_collections_answer_to_anyone_who_knows_the_cart(self, cart: Cart, owner: Customer) -> None:
        actors = [shopper(), shopper(customer_id=owner.pk), shopper(customer_id="cus_other"), ANONYMOUS]
        assert [PaymentCollection.objects.visible_to(each).count() for each in actors] == [1, 1, 0, 0]

    def test_what_was_canceled_shows_on_demand_to_staff_alone(self, cart: Cart, owner: Customer) -> None:
        PaymentSession.objects.update(deleted_at=cart.created_at)
        assert PaymentSession.objects.visible_to(VIEWER).count() == 0
        assert PaymentSession.objects.visible_to(VIEWER, with_deleted=True).count() == 1
        assert PaymentSession.objects.visible_to(shopper(), with_deleted=True).count() == 0
