"""Payments that begin: what the provider makes of Stripe's answers, over HTTP."""

from decimal import Decimal
from typing import Any

import pytest

from payments.providers.base import Charge, Declined, ProviderReport
from payments.providers.stripe import StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.conftest import charged
from tests.payments.stripe.fake import Fake
from tests.payments.stripe.steps import amounts, started

pytestmark = pytest.mark.once


def test_a_start_makes_a_payment_intent(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    report = provider.start(charge, key="payint_1")
    assert report == ProviderReport(
        SessionStatus.PENDING,
        {
            "id": "pi_1",
            "client_secret": "pi_1_secret_hush",
            "status": "requires_payment_method",
            "currency": "usd",
            "amount": 5000,
            "amount_capturable": 0,
            "amount_received": 0,
        },
    )
    assert fake.requests() == [
        {
            "method": "POST",
            "path": "/v1/payment_intents",
            "key": "payint_1",
            "form": {
                "amount": "5000",
                "currency": "usd",
                "capture_method": "manual",
                "automatic_payment_methods": {"enabled": "true"},
                "metadata": {"session_id": "payses_1", "cart_id": "cart_1", "amount": "50.00"},
            },
        }
    ]


def test_storefronts_see_what_they_confirm_with_alone(provider: StripeProvider, charge: Charge) -> None:
    data = started(provider, charge).data
    assert provider.shown(data) == {
        "id": "pi_1",
        "client_secret": "pi_1_secret_hush",
        "status": "requires_payment_method",
    }
    assert provider.shown({}) == {}


def test_the_same_start_twice_is_one_payment_intent(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    assert provider.start(charge, key="payint_1") == provider.start(charge, key="payint_1")
    assert provider.start(charge, key="payint_2").data["id"] == "pi_2"


@pytest.mark.parametrize(
    ("amount", "currency_code", "message"),
    [
        ("0", "usd", "Stripe cannot process 0 USD"),
        ("0.004", "kwd", "Stripe cannot process 0.004 KWD"),
        ("0.49", "usd", "Amount must convert to at least 50 cents."),
        ("5", "try", "Invalid currency: try."),
        ("5", "lyd", "Stripe does not support LYD"),
    ],
)
def test_what_stripe_does_not_take_is_declined_in_its_words(
    provider: StripeProvider, amount: str, currency_code: str, message: str
) -> None:
    with pytest.raises(Declined) as refusal:
        provider.start(charged(amount, currency_code), key="payint_1")
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("method", "status"),
    [
        (None, SessionStatus.PENDING),
        ("pm_card_declined", SessionStatus.ERROR),
        ("pm_card_3ds", SessionStatus.REQUIRES_MORE),
        ("pm_bank", SessionStatus.PENDING_AUTHORIZATION),
    ],
)
def test_what_is_not_promised_is_reported_without_amounts(
    provider: StripeProvider, fake: Fake, charge: Charge, method: str | None, status: SessionStatus
) -> None:
    begun = started(provider, charge)
    if method:
        fake.pay(begun.data["id"], method)
    assert amounts(provider.authorize(begun, key="authorize")) == (status, None, None, None)


def test_what_the_shopper_has_confirmed_is_authorized(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    begun = started(provider, charge)
    fake.pay(begun.data["id"])
    report = provider.authorize(begun, key="authorize")
    assert amounts(report) == (SessionStatus.AUTHORIZED, Decimal(50), None, None)
    assert report.data == {**begun.data, "status": "requires_capture", "amount_capturable": 5000}


def test_what_waits_to_be_confirmed_is_confirmed(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    begun = started(provider, charge)
    fake.attach(begun.data["id"])
    assert amounts(provider.authorize(begun, key="k")) == (SessionStatus.AUTHORIZED, Decimal(50), None, None)
    assert [request["key"] for request in fake.requests("/confirm")] == ["k"]


def test_a_card_that_is_declined_is_reported_in_stripes_words(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    begun = started(provider, charge)
    fake.attach(begun.data["id"], "pm_card_poor")
    with pytest.raises(Declined, match=r"\AYour card has insufficient funds\.\Z"):
        provider.authorize(begun, key="authorize")


def test_automatic_capture_takes_at_once(provider: StripeProvider, fake: Fake, charge: Charge, settings: Any) -> None:
    settings.STRIPE_CAPTURE = "automatic"
    begun = started(provider, charge)
    fake.pay(begun.data["id"])
    assert amounts(provider.authorize(begun, key="authorize")) == (
        SessionStatus.CAPTURED,
        Decimal(50),
        Decimal(50),
        None,
    )
