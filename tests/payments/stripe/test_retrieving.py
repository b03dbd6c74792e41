"""Reading a PaymentIntent before its cart is completed: its event may still be on its way."""

from decimal import Decimal

import pytest

from payments.lifecycle.completion import refresh_session, session_to_refresh
from payments.models import PaymentSession
from payments.providers.base import Charge, Declined
from payments.providers.stripe import NoAnswer, StripeProvider
from shop.errors import ProviderUnavailable
from tests.payments.stripe.conftest import charged
from tests.payments.stripe.fake import Fake


@pytest.mark.parametrize(
    ("method", "status", "authorized"),
    [
        (None, "pending", None),
        ("pm_card_visa", "authorized", Decimal("50.00")),
        ("pm_card_3ds", "requires_more", None),
        ("pm_bank", "pending_authorization", None),
        ("pm_card_declined", "error", None),
    ],
)
def test_it_reports_what_the_shopper_has_done(
    fake: Fake, provider: StripeProvider, method: str | None, status: str, authorized: Decimal | None
) -> None:
    data = provider.start(charged("50.00"), key="key").data
    if method is not None:
        fake.pay(str(data["id"]), method)
    report = provider.retrieve(charged("50.00", data=data))
    assert report is not None
    assert (report.status, report.authorized, report.captured) == (status, authorized, None)
    assert [request["method"] for request in fake.requests()] == ["POST", "GET"]


def test_a_session_that_was_never_created_there_is_unknown(
    fake: Fake, provider: StripeProvider, charge: Charge
) -> None:
    assert provider.retrieve(charge) is None
    assert fake.requests() == []


def test_one_that_stripe_does_not_know_is_declined(fake: Fake, provider: StripeProvider) -> None:
    with pytest.raises(Declined, match="No such payment_intent"):
        provider.retrieve(charged("50.00", data={"id": "pi_lost"}))


def test_without_an_answer_the_state_is_unknown(fake: Fake, provider: StripeProvider, charge: Charge) -> None:
    data = provider.start(charge, key="key").data
    fake.fails(str(data["id"]), when="before")
    with pytest.raises(NoAnswer):
        provider.retrieve(charged("50.00", data=data))


def refresh(session: PaymentSession) -> None:
    """As completing the session's cart does first."""
    cart_id = session.collection.cart_id
    waiting = session_to_refresh(cart_id)
    assert waiting is not None
    refresh_session(waiting, cart_id=cart_id)


@pytest.mark.django_db
def test_the_session_of_a_cart_is_authorized_before_its_event_comes(fake: Fake, session: PaymentSession) -> None:
    fake.pay(session.data["id"])
    refresh(session)
    session.refresh_from_db()
    assert (session.status, session.payment.authorized_amount) == ("authorized", 50)


@pytest.mark.django_db
def test_a_stripe_that_is_silent_is_a_503(fake: Fake, session: PaymentSession) -> None:
    fake.fails(session.data["id"], when="before")
    with pytest.raises(ProviderUnavailable, match=r"pp_stripe_stripe is not responding$"):
        refresh(session)
    session.refresh_from_db()
    assert session.status == "pending"
