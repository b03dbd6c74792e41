"""Paying under attack: what pages of other sites, forged requests and floods may not do."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart
from customers.models import Customer
from kit.errors import Conflict
from kit.values.timestamps import now
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.providers.base import ProviderReport
from payments.requests import intents
from payments.states import SessionStatus
from tests.contract.callers import Caller, invalid, refusal
from tests.factories import payments as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.kit.graphql.calls import ask, failures
from tests.payments.providers import FAKE, FakeProvider

pytestmark = pytest.mark.django_db
PATH = "/store/payment-collections"
FOREIGN = [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}]
FORGED = [
    "id",
    "amount",
    "status",
    "currency_code",
    "context",
    "customer_id",
    "collection_id",
    "idempotency_digest",
    "metadata",
]
TOO_MANY = "Too many payment sessions for the cart, try again later"
START = 'mutation {{ createPaymentSession(id: "{}", input: {}) {{ paymentCollection {{ id }} }} }}'


@pytest.fixture
def eve() -> Customer:
    return CustomerFactory()


@pytest.fixture
def collection(eve: Customer) -> PaymentCollection:
    """Of Eve's cart."""
    return make.collection(customer_id=eve.pk)


@pytest.fixture
def caller(eve: Customer) -> Caller:
    """A storefront where Eve has signed in by a token."""
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(eve)}")


@pytest.fixture
def browser(caller: Caller) -> Caller:
    """A browser that has nothing of Eve but her cookie."""
    assert caller.post("/auth/session").status_code == 200
    del caller.headers["Authorization"]
    return caller


def sessions(collection: PaymentCollection) -> str:
    return f"{PATH}/{collection.pk}/payment-sessions"


def another(number: int) -> dict[str, Any]:
    """A session unlike those of other numbers."""
    return {"provider_id": make.PROVIDER, "data": {"number": number}}


def everything() -> list[Any]:
    models = (Cart, PaymentCollection, PaymentSession, Payment, Intent)
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_site_pays_nothing_by_the_cookie(
    browser: Caller, collection: PaymentCollection, headers: dict[str, str]
) -> None:
    start = START.format(collection.pk, f'{{providerId: "{make.PROVIDER}"}}')
    opening = f'mutation {{ createPaymentCollection(input: {{cartId: "{collection.cart_id}"}}) {{ __typename }} }}'
    before = everything()
    for answer in (
        browser.post(PATH, {"cart_id": collection.cart_id}, **headers),
        browser.post(sessions(collection), another(1), **headers),
        ask(browser, start, **headers),
        ask(browser, opening, **headers),
    ):
        assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed")
    assert everything() == before
    assert browser.post(sessions(collection), another(1)).status_code == 200


@pytest.mark.parametrize("field", FORGED)
def test_nobody_says_what_is_to_be_paid_or_has_been(caller: Caller, collection: PaymentCollection, field: str) -> None:
    before = everything()
    reported = invalid(f"Unrecognized fields: '{field}'")
    assert refusal(caller.post(PATH, {"cart_id": collection.cart_id, field: 0})) == reported
    assert refusal(caller.post(sessions(collection), {**another(1), field: 0})) == reported
    assert everything() == before


class TestHowOftenACartMayBeTriedToPay:
    @pytest.fixture(autouse=True)
    def three_an_hour(self, settings: Any) -> None:
        settings.THROTTLES = {**settings.THROTTLES, "payment_sessions": (3, 3600)}

    @pytest.fixture
    def tired(self, caller: Caller, collection: PaymentCollection) -> PaymentCollection:
        """One that has had all its sessions."""
        for number in range(3):
            assert caller.post(sessions(collection), another(number)).status_code == 200
        return collection

    def test_one_more_is_refused_for_a_time_and_changes_nothing(self, caller: Caller, tired: PaymentCollection) -> None:
        before = everything()
        answer = caller.post(sessions(tired), another(3), Idempotency_Key="a-key")
        assert refusal(answer) == (429, TOO_MANY)
        assert 0 < int(answer["Retry-After"]) <= 3600
        assert everything() == before

    def test_it_is_refused_in_graphql_too(self, caller: Caller, tired: PaymentCollection) -> None:
        ((path, message, extensions),) = failures(
            ask(caller, START.format(tired.pk, f'{{providerId: "{make.PROVIDER}"}}'))
        )
        assert (path, message, extensions["type"]) == ("createPaymentSession", TOO_MANY, "not_allowed")
        assert 0 < extensions["retryAfter"] <= 3600

    def test_what_is_there_is_answered_still(self, caller: Caller, tired: PaymentCollection) -> None:
        answer = caller.post(sessions(tired), another(2))
        (shown,) = answer.json()["payment_collection"]["payment_sessions"]
        assert shown["id"] == PaymentSession.objects.get(collection=tired, deleted_at=None).pk

    def test_another_cart_has_its_own(self, eve: Customer, caller: Caller, tired: PaymentCollection) -> None:
        assert caller.post(sessions(make.collection(customer_id=eve.pk)), another(3)).status_code == 200

    def test_once_the_first_is_over_one_more_begins_also_with_the_key_that_was_refused(
        self, caller: Caller, tired: PaymentCollection
    ) -> None:
        key = {"Idempotency_Key": "a-key"}
        assert caller.post(sessions(tired), another(3), **key).status_code == 429
        first = PaymentSession.objects.filter(collection=tired).order_by("pk")[0]
        PaymentSession.objects.filter(pk=first.pk).update(created_at=first.created_at - timedelta(hours=1))
        assert caller.post(sessions(tired), another(3), **key).status_code == 200
        assert caller.post(sessions(tired), another(4)).status_code == 429


def test_nobody_waits_for_a_caller_that_has_asked_for_long(
    collection: PaymentCollection, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Each who waits holds a thread, and many may send the same."""
    intent = Intent.objects.get(session=make.session(collection))
    begun = now() - timedelta(seconds=intents.WAIT_SECONDS + 1)
    Intent.objects.update(done_at=None, result="", claimed_at=begun, claimed_until=begun + settings.PAYMENT_PATIENCE)
    monkeypatch.setattr(intents.time, "sleep", lambda _: pytest.fail("it waits"))
    with pytest.raises(Conflict):
        intents.carry_out(intent.pk)


IMPOSSIBLE = [
    {"captured": Decimal(10) ** 12},
    {"authorized": Decimal(-1)},
    {"refunded": Decimal("NaN")},
    {"data": {"id": "\0"}},
]


@pytest.mark.parametrize("said", IMPOSSIBLE, ids=str)
def test_a_provider_that_says_what_cannot_be_kept_has_not_answered(
    caller: Caller, fake: FakeProvider, eve: Customer, monkeypatch: pytest.MonkeyPatch, said: dict[str, Any]
) -> None:
    monkeypatch.setattr(FakeProvider, "start", lambda *_, **__: ProviderReport(SessionStatus.AUTHORIZED, **said))
    opened = make.collection(customer_id=eve.pk, provider_id=FAKE)
    answer = caller.post(sessions(opened), {"provider_id": FAKE})
    assert (answer.status_code, answer.json()["type"]) == (503, "unavailable")
    assert Intent.objects.get().done_at is None
