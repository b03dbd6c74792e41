"""What Stripe tells by itself, as it is read."""

import copy
import time
from decimal import Decimal
from typing import Any

import orjson
import pytest

from payments.providers.base import Action, Charge, Event, InvalidEvent
from payments.providers.stripe import StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.conftest import charged
from tests.payments.stripe.fake import Fake, signed
from tests.payments.stripe.lives import (
    abandoned,
    taken_and_given_back_in_parts,
    taken_at_last,
    taken_in_part_and_given_back_in_part,
)

pytestmark = pytest.mark.once


def read(provider: StripeProvider, event: Any, **signing: Any) -> Event:
    body, signature = signed(event, **signing)
    return provider.read_event(body, {"stripe-signature": signature})


def reported(provider: StripeProvider, fake: Fake) -> list[tuple[Any, ...]]:
    """Action, status and amounts of all that Stripe has reported."""
    events = [read(provider, event) for event in fake.events()]
    assert {event.session_id for event in events} == {"payses_1"}
    reports = [(event.action, event.report) for event in events if event.report]
    assert len(reports) == len(events)
    return [(action, it.status, it.authorized, it.captured, it.refunded) for action, it in reports]


@pytest.fixture
def intent_id(provider: StripeProvider, charge: Charge) -> str:
    return str(provider.start(charge, key="start").data["id"])


def test_a_payment_is_reported_step_by_step(provider: StripeProvider, fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id, "pm_bank")
    taken_at_last(fake, intent_id)
    assert reported(provider, fake) == [
        (Action.PENDING_AUTHORIZATION, SessionStatus.PENDING_AUTHORIZATION, None, None, None),
        (Action.FAILED, SessionStatus.ERROR, None, None, None),
        (Action.REQUIRES_MORE, SessionStatus.REQUIRES_MORE, None, None, None),
        (Action.AUTHORIZED, SessionStatus.AUTHORIZED, Decimal(50), None, None),
        (Action.CAPTURED, SessionStatus.CAPTURED, Decimal(50), Decimal(50), None),
    ]


def test_refunds_are_reported_all_in_all(provider: StripeProvider, fake: Fake, intent_id: str) -> None:
    taken_and_given_back_in_parts(fake, intent_id)
    assert reported(provider, fake)[2:] == [
        (Action.REFUNDED, SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(10)),
        (Action.REFUNDED, SessionStatus.CAPTURED, Decimal(50), Decimal(50), Decimal(50)),
    ]


def test_what_was_released_is_no_refund(provider: StripeProvider, fake: Fake, intent_id: str) -> None:
    taken_in_part_and_given_back_in_part(fake, intent_id)
    assert reported(provider, fake)[2:] == [
        (Action.CAPTURED, SessionStatus.CAPTURED, Decimal(30), Decimal(30), None),
        (Action.REFUNDED, SessionStatus.CAPTURED, Decimal(30), Decimal(30), Decimal(7)),
    ]


def test_a_cancellation_is_reported(provider: StripeProvider, fake: Fake, intent_id: str) -> None:
    abandoned(fake, intent_id)
    assert reported(provider, fake)[-1] == (Action.CANCELED, SessionStatus.CANCELED, None, None, None)


def test_a_third_decimal_is_reported_whole(provider: StripeProvider, fake: Fake) -> None:
    fake.pay(provider.start(charged("5.124", "kwd"), key="start").data["id"])
    assert reported(provider, fake) == [(Action.AUTHORIZED, SessionStatus.AUTHORIZED, Decimal("5.124"), None, None)]


@pytest.mark.parametrize("amount", ["5000000", "49", "NaN", "much", None])
def test_an_amount_that_was_edited_at_stripe_is_not_believed(
    provider: StripeProvider, fake: Fake, intent_id: str, amount: str | None
) -> None:
    fake.pay(intent_id)
    (event,) = fake.events()
    event["data"]["object"]["metadata"]["amount"] = amount
    report = read(provider, event).report
    assert report is not None
    assert report.authorized == Decimal("50.00")


def test_a_release_of_what_was_promised_is_reported_by_the_cancellation_alone(
    provider: StripeProvider, fake: Fake, intent_id: str
) -> None:
    taken_and_given_back_in_parts(fake, intent_id)
    event = fake.events()[-1]
    event["data"]["object"].update(amount_captured=0, amount_refunded=5000)
    assert read(provider, event) == Event(event["id"], Action.NOT_SUPPORTED)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "payment_intent.created"},
        {"type": "customer.created", "data": {}},
        {"metadata": {}},
        {"metadata": None},
        {"metadata": {"session_id": 5}},
        {"metadata": {"session_id": "payses_\0"}},
    ],
    ids=str,
)
def test_what_is_not_about_a_session_is_not_supported(
    provider: StripeProvider, fake: Fake, intent_id: str, change: dict[str, Any]
) -> None:
    fake.pay(intent_id)
    (event,) = fake.events()
    if "metadata" in change:
        event["data"]["object"].update(change)
    else:
        event.update(change)
    assert read(provider, event) == Event(event["id"], Action.NOT_SUPPORTED)


@pytest.fixture
def event(fake: Fake, intent_id: str) -> dict[str, Any]:
    fake.pay(intent_id)
    return dict(fake.events()[0])


def test_an_event_is_taken_for_five_minutes(provider: StripeProvider, event: dict[str, Any]) -> None:
    assert read(provider, event, at=int(time.time()) - 290).action == Action.AUTHORIZED
    with pytest.raises(InvalidEvent):
        read(provider, event, at=int(time.time()) - 310)


def test_an_event_of_another_secret_is_refused(provider: StripeProvider, event: dict[str, Any]) -> None:
    with pytest.raises(InvalidEvent):
        read(provider, event, secret="whsec_other")


def test_without_a_secret_nothing_is_believed(provider: StripeProvider, event: dict[str, Any], settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = ""
    with pytest.raises(InvalidEvent):
        read(provider, event, secret="")


def test_a_body_that_was_changed_is_refused(provider: StripeProvider, event: dict[str, Any]) -> None:
    body, signature = signed(event)
    with pytest.raises(InvalidEvent):
        provider.read_event(body.replace(b"5000", b"9000"), {"stripe-signature": signature})


@pytest.mark.parametrize(
    "signature",
    [None, "", "v1=ab", "t=1", "t=x,v1=ab", "t=1,v1=é", f"t={'9' * 5000},v1=ab", ",=,=", "t=1,v0=ab"],
    ids=["none", "empty", "no time", "no signature", "no number", "no ASCII", "too long", "commas", "another scheme"],
)
def test_a_header_that_is_no_signature_is_refused(
    provider: StripeProvider, event: dict[str, Any], signature: str | None
) -> None:
    with pytest.raises(InvalidEvent):
        provider.read_event(signed(event)[0], {} if signature is None else {"stripe-signature": signature})


@pytest.mark.parametrize("body", [b"\xff\xfe", b"\0", b""])
def test_a_body_that_is_no_text_is_refused(provider: StripeProvider, body: bytes) -> None:
    with pytest.raises(InvalidEvent):
        provider.read_event(body, {"stripe-signature": "t=1,v1=ab"})


def malformed() -> list[Any]:
    intent = {"metadata": {"session_id": "payses_1"}, "status": "succeeded", "currency": "usd", "amount": 1}
    intent |= {"amount_received": 1, "amount_capturable": 0}
    whole = {"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": intent}}
    objects = [
        {**intent, "status": "another"},
        {**intent, "status": None},
        {**intent, "amount_received": "much"},
        {**intent, "amount_received": None},
        {**intent, "amount_received": -5},
        {**intent, "amount_received": 10**17},
        {**intent, "client_secret": "\0"},
        {**intent, "currency": "lyd"},
        {key: value for key, value in intent.items() if key != "amount"},
        [],
        None,
        "pi_1",
    ]
    events = [{**whole, "data": {"object": thing}} for thing in objects]
    changes = [{"id": "e" * 256}, {"id": "evt\0"}, {"data": None}, {"data": {}}, {"type": []}]
    return [
        [],
        None,
        "evt",
        {},
        *({**whole, **change} for change in changes),
        *({key: value for key, value in whole.items() if key != left} for left in whole),
        *events,
    ]


@pytest.mark.parametrize("event", malformed(), ids=lambda event: orjson.dumps(event).decode()[:120])
def test_what_is_signed_but_no_event_is_refused(provider: StripeProvider, event: Any) -> None:
    with pytest.raises(InvalidEvent):
        read(provider, copy.deepcopy(event))
