"""What the provider makes of Stripe's answers, over HTTP."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from payments.providers.base import Charge, Declined, Standing
from payments.providers.stripe import StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.conftest import charged
from tests.payments.stripe.fake import Fake
from tests.payments.stripe.fake_stripe import FAILING_REFUND


def started(provider: StripeProvider, charge: Charge) -> Charge:
    """The charge with what Stripe has said at its start."""
    return replace(charge, data=provider.start(charge, key="start").data)


def authorized(provider: StripeProvider, fake: Fake, charge: Charge) -> Charge:
    begun = started(provider, charge)
    fake.pay(begun.data["id"])
    return replace(begun, data=provider.authorize(begun, key="authorize").data)


def captured(provider: StripeProvider, fake: Fake, charge: Charge, amount: str) -> Charge:
    promised = authorized(provider, fake, charge)
    return replace(promised, data=provider.capture(promised, Decimal(amount), key="capture").data)


def amounts(standing: Standing) -> tuple[SessionStatus, Decimal | None, Decimal | None, Decimal | None]:
    return standing.status, standing.authorized, standing.captured, standing.refunded


def test_a_start_makes_a_payment_intent(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    standing = provider.start(charge, key="payint_1")
    assert standing == Standing(
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
        ("0", "usd", "Stripe moves no 0 USD"),
        ("0.004", "kwd", "Stripe moves no 0.004 KWD"),
        ("0.49", "usd", "Amount must convert to at least 50 cents."),
        ("5", "try", "Invalid currency: try."),
        ("5", "lyd", "Stripe takes no LYD"),
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
def test_what_is_not_promised_is_told_without_amounts(
    provider: StripeProvider, fake: Fake, charge: Charge, method: str | None, status: SessionStatus
) -> None:
    begun = started(provider, charge)
    if method:
        fake.pay(begun.data["id"], method)
    assert amounts(provider.authorize(begun, key="authorize")) == (status, None, None, None)


def test_what_the_shopper_has_confirmed_is_authorized(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    begun = started(provider, charge)
    fake.pay(begun.data["id"])
    standing = provider.authorize(begun, key="authorize")
    assert amounts(standing) == (SessionStatus.AUTHORIZED, Decimal(50), None, None)
    assert standing.data == {**begun.data, "status": "requires_capture", "amount_capturable": 5000}


def test_what_waits_to_be_confirmed_is_confirmed(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    begun = started(provider, charge)
    fake.attach(begun.data["id"])
    assert amounts(provider.authorize(begun, key="k")) == (SessionStatus.AUTHORIZED, Decimal(50), None, None)
    assert [request["key"] for request in fake.requests("/confirm")] == ["k"]


def test_a_card_that_is_declined_is_told_in_stripes_words(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
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


def test_a_capture_takes_all_that_was_promised(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    promised = authorized(provider, fake, charge)
    standing = provider.capture(promised, Decimal(50), key="capture")
    assert amounts(standing) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), None)
    assert fake.requests("/capture")[0]["form"]["amount_to_capture"] == "5000"


def test_a_capture_of_less_releases_the_rest_and_refunds_nothing(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    promised = authorized(provider, fake, charge)
    standing = provider.capture(promised, Decimal(30), key="capture")
    assert amounts(standing) == (SessionStatus.CAPTURED, Decimal(30), Decimal(30), None)


def test_a_capture_of_more_is_declined(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    promised = authorized(provider, fake, charge)
    with pytest.raises(Declined, match="greater than the amount authorized"):
        provider.capture(promised, Decimal(51), key="capture")


def test_a_capture_that_was_done_stands_also_when_its_key_is_forgotten(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    promised = authorized(provider, fake, charge)
    first = provider.capture(promised, Decimal(30), key="capture")
    fake.forget_keys()
    assert provider.capture(promised, Decimal(30), key="capture") == first


@pytest.mark.parametrize("ended", [False, True])
def test_a_capture_of_what_was_not_promised_is_declined(
    provider: StripeProvider, fake: Fake, charge: Charge, ended: bool
) -> None:
    begun = started(provider, charge)
    if ended:
        provider.cancel(begun, key="cancel")
    with pytest.raises(Declined, match="You cannot capture this PaymentIntent because it has a status of "):
        provider.capture(begun, Decimal(50), key="capture")


def test_refunds_are_told_all_in_all(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    paid = captured(provider, fake, charge, "50")
    first = provider.refund(paid, Decimal(20), key="refund-1")
    assert amounts(first) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(20))
    second = provider.refund(paid, Decimal(30), key="refund-2")
    assert amounts(second) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(50))


def test_refunds_by_hand_are_told_too(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    paid = captured(provider, fake, charge, "50")
    fake.by_hand("refund", form={"payment_intent": paid.data["id"], "amount": 500})
    assert amounts(provider.refund(paid, Decimal(20), key="refund"))[3] == Decimal(25)


def test_what_a_capture_in_part_released_is_no_refund(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    paid = captured(provider, fake, charge, "30")
    assert amounts(provider.refund(paid, Decimal(10), key="refund")) == (
        SessionStatus.CAPTURED,
        Decimal(30),
        Decimal(30),
        Decimal(10),
    )


def test_a_refund_asked_twice_is_one_also_when_its_key_is_forgotten(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    paid = captured(provider, fake, charge, "50")
    first = provider.refund(paid, Decimal(20), key="refund")
    fake.forget_keys()
    assert provider.refund(paid, Decimal(20), key="refund") == first
    assert [(refund["amount"], refund["metadata"]) for refund in fake.refunds()] == [(2000, {"key": "refund"})]


def test_a_refund_of_more_than_was_taken_is_declined(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    paid = captured(provider, fake, charge, "30")
    with pytest.raises(Declined, match="greater than unrefunded amount"):
        provider.refund(paid, Decimal(31), key="refund")


def test_a_refund_that_fails_is_declined_and_gives_nothing_back(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    paid = captured(provider, fake, charged("100"), "100")
    for _ in range(2):
        with pytest.raises(Declined, match=r"\AThe refund has failed: expired_or_canceled_card\Z"):
            provider.refund(paid, Decimal(FAILING_REFUND) / 100, key="refund-1")
    assert amounts(provider.refund(paid, Decimal(1), key="refund-2"))[3] == Decimal(1)


def test_a_cancellation_releases_what_was_promised(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    promised = authorized(provider, fake, charge)
    assert amounts(provider.cancel(promised, key="cancel")) == (SessionStatus.CANCELED, None, None, None)


def test_what_is_canceled_already_stays_so(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    promised = authorized(provider, fake, charge)
    fake.by_hand("cancel", intent_id=promised.data["id"], form={})
    assert amounts(provider.cancel(promised, key="cancel")) == (SessionStatus.CANCELED, None, None, None)


def test_a_cancellation_that_comes_too_late_tells_of_the_money(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    promised = authorized(provider, fake, charge)
    fake.by_hand("capture", intent_id=promised.data["id"], form={"amount_to_capture": 3000})
    assert amounts(provider.cancel(promised, key="cancel")) == (
        SessionStatus.CAPTURED,
        Decimal(30),
        Decimal(30),
        None,
    )


def test_a_cancellation_that_stripe_refuses_is_declined(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    begun = started(provider, charge)
    fake.pay(begun.data["id"], "pm_bank")
    with pytest.raises(Declined, match="You cannot cancel this PaymentIntent because it has a status of processing"):
        provider.cancel(begun, key="cancel")


def test_what_was_never_prepared_is_canceled_without_asking(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    assert provider.cancel(charge, key="cancel") == Standing(SessionStatus.CANCELED, {})
    assert fake.requests() == []


@pytest.mark.parametrize("act", ["authorize", "capture", "refund"])
def test_what_was_never_prepared_cannot_be_paid(provider: StripeProvider, charge: Charge, act: str) -> None:
    given = () if act == "authorize" else (Decimal(1),)
    with pytest.raises(Declined, match="Stripe has never prepared this payment"):
        getattr(provider, act)(charge, *given, key="key")


def test_a_third_decimal_is_charged_as_two_and_told_whole(provider: StripeProvider, fake: Fake) -> None:
    """5.124 KWD are charged as 5.12; who paid that has paid all, and who got that back has got all back."""
    promised = authorized(provider, fake, charged("5.124", "kwd"))
    assert promised.data["amount"] == 5120
    standing = provider.capture(promised, Decimal("5.124"), key="capture")
    assert amounts(standing) == (SessionStatus.CAPTURED, Decimal("5.124"), Decimal("5.124"), None)
    part = provider.refund(promised, Decimal("1.236"), key="refund-1")
    assert part.refunded == Decimal("1.24")
    rest = provider.refund(promised, Decimal("3.884"), key="refund-2")
    assert rest.refunded == Decimal("5.124")
