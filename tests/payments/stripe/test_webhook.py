"""POST /hooks/payments/pp_stripe_stripe, through the whole stack of middleware."""

from typing import Any

import pytest
from django.http import HttpResponse

from payments.models import PaymentSession, ProviderEvent
from tests.contract.callers import NOBODY, refusal
from tests.payments.stripe.conftest import PROVIDER_ID
from tests.payments.stripe.fake import Fake, signed

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PATH = f"/hooks/payments/{PROVIDER_ID}"
NOT_GENUINE = (400, "The event's signature is invalid")


def sent(event: dict[str, Any], *, path: str = PATH, **signing: Any) -> HttpResponse:
    body, signature = signed(event, **signing)
    return NOBODY.send("POST", path, body, content_type="application/json; charset=utf-8", stripe_signature=signature)


@pytest.fixture
def event(fake: Fake, session: PaymentSession) -> dict[str, Any]:
    """That the session's money is promised."""
    fake.pay(session.data["id"])
    return dict(fake.events()[0])


def status(session: PaymentSession) -> str:
    return str(PaymentSession.objects.get(pk=session.pk).status)


def test_an_event_moves_its_session(session: PaymentSession, event: dict[str, Any]) -> None:
    for _ in range(2):
        answer = sent(event)
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert status(session) == "authorized"
    assert list(ProviderEvent.objects.values_list("provider_id", "event_id", "action", "session_id")) == [
        (PROVIDER_ID, event["id"], "authorized", session.pk)
    ]


def test_an_event_that_stripe_has_not_signed_changes_nothing(session: PaymentSession, event: dict[str, Any]) -> None:
    assert refusal(sent(event, secret="whsec_other")) == NOT_GENUINE
    assert refusal(NOBODY.post(PATH, event)) == NOT_GENUINE
    assert refusal(NOBODY.post(PATH, event, stripe_signature="t=1,v1=é")) == NOT_GENUINE
    assert NOBODY.post(PATH, b"\xff\xfe").status_code == 400
    assert status(session) == "pending"
    assert not ProviderEvent.objects.exists()


def test_an_event_of_a_session_that_is_not_there_is_taken_and_changes_nothing(
    session: PaymentSession, event: dict[str, Any]
) -> None:
    event["data"]["object"]["metadata"]["session_id"] = "payses_of_another_shop"
    assert sent(event).status_code == 200
    assert status(session) == "pending"
    assert not ProviderEvent.objects.exists()


def test_an_event_of_another_kind_is_taken_and_changes_nothing(session: PaymentSession, event: dict[str, Any]) -> None:
    assert sent({**event, "type": "payment_intent.created"}).status_code == 200
    assert status(session) == "pending"


def test_a_provider_that_is_not_there_is_not_found(event: dict[str, Any]) -> None:
    assert sent(event, path="/hooks/payments/pp_nobody").status_code == 404


def test_a_provider_without_a_webhook_believes_nothing(event: dict[str, Any]) -> None:
    assert refusal(sent(event, path="/hooks/payments/pp_system_default")) == NOT_GENUINE


def test_an_event_that_is_too_large_is_refused(session: PaymentSession, event: dict[str, Any]) -> None:
    event["data"]["object"]["description"] = "x" * 1024 * 1024
    assert sent(event).status_code == 413
    assert status(session) == "pending"
