"""Money that moves: what the provider makes of Stripe's answers, over HTTP."""

from decimal import Decimal

import pytest

from payments.providers.base import Charge, Declined, ProviderReport
from payments.providers.stripe import StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.conftest import charged
from tests.payments.stripe.fake import Fake
from tests.payments.stripe.fake_stripe import FAILING_REFUND
from tests.payments.stripe.steps import amounts, authorized, captured, started

pytestmark = pytest.mark.once


def test_a_capture_takes_all_that_was_promised(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    promised = authorized(provider, fake, charge)
    report = provider.capture(promised, Decimal(50), key="capture")
    assert amounts(report) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), None)
    assert fake.requests("/capture")[0]["form"]["amount_to_capture"] == "5000"


def test_a_capture_of_less_releases_the_rest_and_refunds_nothing(
    provider: StripeProvider, fake: Fake, charge: Charge
) -> None:
    promised = authorized(provider, fake, charge)
    report = provider.capture(promised, Decimal(30), key="capture")
    assert amounts(report) == (SessionStatus.CAPTURED, Decimal(30), Decimal(30), None)


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


def test_refunds_are_reported_all_in_all(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    paid = captured(provider, fake, charge, "50")
    first = provider.refund(paid, Decimal(20), key="refund-1")
    assert amounts(first) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(20))
    second = provider.refund(paid, Decimal(30), key="refund-2")
    assert amounts(second) == (SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(50))


def test_refunds_by_hand_are_reported_too(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
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


@pytest.mark.parametrize("refunds", [["5"], ["25"], ["5", "25"]])
def test_our_refunds_are_reported_also_where_stripe_counts_no_releases(
    provider: StripeProvider, fake: Fake, charge: Charge, refunds: list[str]
) -> None:
    fake.by_hand("count_no_releases")
    paid = captured(provider, fake, charge, "30")
    for number, refund in enumerate(refunds):
        report = provider.refund(paid, Decimal(refund), key=f"refund-{number}")
    assert amounts(report)[2:] == (Decimal(30), sum(map(Decimal, refunds)))


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
        with pytest.raises(Declined, match=r"\AThe refund failed: expired_or_canceled_card\Z"):
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
    assert provider.cancel(charge, key="cancel") == ProviderReport(SessionStatus.CANCELED, {})
    assert fake.requests() == []


@pytest.mark.parametrize("act", ["authorize", "capture", "refund"])
def test_what_was_never_prepared_cannot_be_paid(provider: StripeProvider, charge: Charge, act: str) -> None:
    given = () if act == "authorize" else (Decimal(1),)
    with pytest.raises(Declined, match="This payment was never created at Stripe"):
        getattr(provider, act)(charge, *given, key="key")


def test_a_third_decimal_is_charged_as_two_and_reported_whole(provider: StripeProvider, fake: Fake) -> None:
    """5.124 KWD are charged as 5.12; who paid that has paid all, and who got that back has got all back."""
    promised = authorized(provider, fake, charged("5.124", "kwd"))
    assert promised.data["amount"] == 5120
    report = provider.capture(promised, Decimal("5.124"), key="capture")
    assert amounts(report) == (SessionStatus.CAPTURED, Decimal("5.124"), Decimal("5.124"), None)
    part = provider.refund(promised, Decimal("1.236"), key="refund-1")
    assert part.refunded == Decimal("1.24")
    rest = provider.refund(promised, Decimal("3.884"), key="refund-2")
    assert rest.refunded == Decimal("5.124")
