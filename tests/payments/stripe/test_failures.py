"""Whatever Stripe does not answer with yes or no: nobody knows, and the same is asked again."""

import logging
import traceback
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from payments.providers.base import Charge
from payments.providers.stripe import NoAnswer, StripeProvider
from payments.states import SessionStatus
from tests.payments.stripe.fake import Fake

pytestmark = pytest.mark.once

SECRETS = ("sk_test_fake", "secret_hush")
BROKEN = {
    "a connection that breaks": {"when": "before"},
    "an answer that is lost": {"when": "after"},
    "an answer that is no JSON": {"when": "after", "status": 200, "text": '{"client_secret": "pi_1_secret_hush'},
    "an error of the server": {"when": "before", "status": 500},
    "a server that is busy": {"when": "before", "status": 503, "text": "<html>pi_1_secret_hush</html>"},
    "too many requests": {"when": "before", "status": 429, "type": "rate_limit_error"},
    "the same being answered": {"when": "before", "status": 409, "type": "idempotency_error"},
    "a key of another request": {"when": "before", "status": 400, "type": "idempotency_error"},
    "a secret key that is wrong": {"when": "before", "status": 401, "type": "invalid_request_error"},
    "a secret key that may not": {"when": "before", "status": 403, "type": "invalid_request_error"},
}
every_failure = pytest.mark.parametrize("fault", BROKEN.values(), ids=BROKEN.keys())


@pytest.fixture
def promised(provider: StripeProvider, fake: Fake, charge: Charge) -> Charge:
    """A charge whose money is promised."""
    data = provider.start(charge, key="start").data
    fake.pay(data["id"])
    return replace(charge, data=data)


@every_failure
def test_a_start_without_an_answer_is_asked_again(
    provider: StripeProvider, fake: Fake, charge: Charge, fault: dict[str, Any]
) -> None:
    fake.fails("/payment_intents", **fault)
    with pytest.raises(NoAnswer):
        provider.start(charge, key="start")
    assert provider.start(charge, key="start").data["id"] == "pi_1"
    assert [request["key"] for request in fake.requests()] == ["start", "start"]


@every_failure
def test_a_capture_without_an_answer_is_done_once(
    provider: StripeProvider, fake: Fake, promised: Charge, fault: dict[str, Any]
) -> None:
    fake.fails("/capture", **fault)
    try:
        report = provider.capture(promised, Decimal(30), key="capture")
    except NoAnswer:
        report = provider.capture(promised, Decimal(30), key="capture")
    assert (report.captured, report.refunded) == (Decimal(30), None)
    assert sum(event["type"] == "payment_intent.succeeded" for event in fake.events()) == 1


@every_failure
def test_a_refund_without_an_answer_is_done_once(
    provider: StripeProvider, fake: Fake, promised: Charge, fault: dict[str, Any]
) -> None:
    provider.capture(promised, Decimal(50), key="capture")
    fake.fails("/refunds", when="before")  # its list
    with pytest.raises(NoAnswer):
        provider.refund(promised, Decimal(20), key="refund")
    fake.fails("/refunds", when="never")  # its list again
    fake.fails("/refunds", **fault)
    with pytest.raises(NoAnswer):
        provider.refund(promised, Decimal(20), key="refund")
    fake.forget_keys()
    assert provider.refund(promised, Decimal(20), key="refund").refunded == Decimal(20)
    assert [refund["amount"] for refund in fake.refunds()] == [2000]


def test_a_capture_that_stripe_has_done_and_failed_over_stands(
    provider: StripeProvider, fake: Fake, promised: Charge
) -> None:
    """Stripe repeats its own failure for that key a whole day."""
    fake.fails("/capture", when="after", status=500)
    for _ in range(2):
        report = provider.capture(promised, Decimal(50), key="capture")
        assert (report.status, report.captured) == (SessionStatus.CAPTURED, Decimal(50))


def test_a_cancellation_whose_answer_is_lost_is_done_once(
    provider: StripeProvider, fake: Fake, promised: Charge
) -> None:
    fake.fails("/cancel", when="after")
    with pytest.raises(NoAnswer):
        provider.cancel(promised, key="cancel")
    fake.forget_keys()
    assert provider.cancel(promised, key="cancel").status == SessionStatus.CANCELED
    assert sum(event["type"] == "payment_intent.canceled" for event in fake.events()) == 1


@every_failure
def test_nothing_is_sent_again_within_one_call(
    provider: StripeProvider, fake: Fake, promised: Charge, fault: dict[str, Any]
) -> None:
    fake.fails(f"/{promised.data['id']}", **fault)
    with pytest.raises(NoAnswer):
        provider.authorize(promised, key="authorize")
    assert len(fake.requests(f"/{promised.data['id']}")) == 1


def test_a_start_that_stripe_takes_too_long_over_is_canceled(fake: Fake, charge: Charge, settings: Any) -> None:
    settings.PAYMENT_PATIENCE = timedelta(seconds=1)
    hasty = StripeProvider()
    fake.fails("/payment_intents", when="after", seconds=0.8)
    with pytest.raises(NoAnswer, match="APIConnectionError"):
        hasty.start(charge, key="start")


def test_a_server_that_is_not_there_is_no_answer(fake: Fake, charge: Charge, settings: Any) -> None:
    settings.STRIPE_API_BASE = "http://127.0.0.1:9"
    with pytest.raises(NoAnswer, match="APIConnectionError"):
        StripeProvider().start(charge, key="start")


def test_all_that_one_call_may_wait_for_is_less_than_the_patience(fake: Fake, settings: Any) -> None:
    """Three requests at most, each of which connects and reads."""
    waits = StripeProvider()._intents._requestor._get_http_client()._timeout
    assert 3 * sum(waits) < settings.PAYMENT_PATIENCE.total_seconds()


@every_failure
def test_neither_errors_nor_logs_tell_what_is_secret(
    provider: StripeProvider, fake: Fake, charge: Charge, fault: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fake.fails("/payment_intents", **fault)
    with pytest.raises(NoAnswer) as failure:
        provider.start(charge, key="start")
    provider.start(charge, key="start")
    reported = f"{''.join(traceback.format_exception(failure.value))}{failure.value!r}{caplog.text}"
    assert not [secret for secret in SECRETS if secret in reported]


def test_what_failed_is_reported(provider: StripeProvider, fake: Fake, charge: Charge) -> None:
    fake.fails("/payment_intents", when="before", status=401, type="invalid_request_error")
    with pytest.raises(NoAnswer, match=r"\AAuthenticationError 401 req_fake Something is wrong\.\Z"):
        provider.start(charge, key="start")
