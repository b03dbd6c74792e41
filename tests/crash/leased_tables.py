"""The tables of work, their workers of this version and of the one before, and what both store."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import models, transaction

from kit.messages.mails import leases as mails
from kit.messages.mails.models import Mail
from kit.messages.webhooks.delivery import leases as webhooks
from kit.messages.webhooks.models import Delivery
from orders.fulfillments import sending
from orders.models import CarrierRequest
from payments.models import Intent
from payments.requests import claims, intents
from payments.states import Act
from tests.crash.old_leases import OldCarriers, OldDeliveries, OldIntents, OldMails
from tests.factories import payments as make_payments
from tests.factories import webhooks as make_webhooks
from tests.kit.messages.mails.test_worker import queue
from tests.orders.fulfillments.carrier import at_work, carried, carried_order
from tests.payments.providers import FAKE, switched_on

NAME = "shop:8000"
MOMENT = datetime.fromisoformat("2030-01-01T12:00:00+00:00")


class NewMails:
    def claim(self, mail_id: str, name: str) -> Mail | None:
        return mails.claim(mail_id)

    def fail(self, mail: Mail) -> None:
        mails.back_off(mail, "no")

    def finish(self, mail: Mail) -> None:
        mails.finish(mail, is_sent=True)


class NewDeliveries:
    def claim(self, delivery_id: str, name: str) -> Delivery | None:
        return webhooks.claim_next(Delivery.objects.get(pk=delivery_id).address)

    def fail(self, delivery: Delivery) -> None:
        webhooks.record_failure(delivery, reason="no", status=500)

    def finish(self, delivery: Delivery) -> None:
        webhooks.record_success(delivery, status=200)


class NewCarriers:
    def claim(self, request_id: str, name: str) -> CarrierRequest | None:
        return sending.REQUESTS.claim(request_id, error="")

    def fail(self, request: CarrierRequest) -> None:
        sending._back_off(request, ConnectionError("no"))

    def finish(self, request: CarrierRequest) -> None:
        sending.REQUESTS.finish(request.pk, "done")


class NewIntents:
    def claim(self, intent_id: str, name: str) -> Intent | None:
        return claims.claim(intent_id, is_waiting=False)

    def fail(self, intent: Intent) -> None:
        claims.back_off(intent, "ConnectionError: no", is_waiting=False)

    def finish(self, intent: Intent) -> None:
        claims.finish(intent.pk, "done")


def mail_id(settings: Any) -> str:
    queue("ann@example.com")
    return str(Mail.objects.get().pk)


def delivery_id(settings: Any) -> str:
    delivery = make_webhooks.delivery(make_webhooks.address().address)
    Delivery.objects.update(expires_at=MOMENT + timedelta(hours=24))
    return str(delivery.pk)


def request_id(settings: Any) -> str:
    with at_work(settings):
        return str(carried(carried_order(), 2)[1].pk)


def intent_id(settings: Any) -> str:
    with switched_on(settings):
        session = make_payments.session(provider_id=FAKE)
    with transaction.atomic():
        return intents.record_intent(session.pk, Act.AUTHORIZE, runs_now=True)


class Table(NamedTuple):
    """What both versions store.

    make: the id of a new row. claimed, failed: its columns once it is claimed at MOMENT, and has failed; moments in
    seconds from there. done: the column that is null before.
    """

    model: type[models.Model]
    make: Callable[[Any], str]
    workers: Mapping[str, Any]
    claimed: Mapping[str, object]
    failed: Mapping[str, object]
    done: str = "done_at"


TABLES = {
    "emails": Table(
        Mail,
        mail_id,
        {"old": OldMails(), "new": NewMails()},
        {"next_try_at": 120, "attempts": 1, "claimed_by": NAME, "error": ""},
        {"next_try_at": 30, "attempts": 1, "claimed_by": "", "error": "no"},
        done="sent_at",
    ),
    "deliveries": Table(
        Delivery,
        delivery_id,
        {"old": OldDeliveries(), "new": NewDeliveries()},
        {"claimed_until": 30, "attempts": 1, "claimed_by": NAME, "status": "pending", "error": ""},
        {"due_at": 5, "claimed_until": None, "attempts": 1, "response_status": 500, "error": "no"},
        done="ended_at",
    ),
    "carriers": Table(
        CarrierRequest,
        request_id,
        {"old": OldCarriers(), "new": NewCarriers()},
        {"claimed_until": 60, "attempts": 1, "claimed_by": NAME, "error": ""},
        {"claimed_until": 120, "attempts": 1, "claimed_by": "", "error": "ConnectionError: no"},
    ),
    "intents": Table(
        Intent,
        intent_id,
        {"old": OldIntents(), "new": NewIntents()},
        {"claimed_at": 0, "claimed_until": 2.5, "attempts": 1, "error": ""},
        {"claimed_at": 0, "claimed_until": 120, "attempts": 1, "error": "ConnectionError: no"},
    ),
}
