"""The signed message, verified as receivers do: by the library of Standard Webhooks, and by the page's example."""

from datetime import UTC, datetime

import orjson
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from kit.domain.actor import SYSTEM
from kit.messages.webhooks.delivery.message import Message, message
from kit.messages.webhooks.endpoints.rotation import rotate
from kit.messages.webhooks.endpoints.signing_secrets import new_secret
from kit.messages.webhooks.models import Delivery, WebhookAddress
from tests.factories import webhooks as make
from tests.factories.clock import at

pytestmark = pytest.mark.django_db


def signed(delivery: Delivery) -> Message:
    return message(delivery, WebhookAddress.objects.get(pk=delivery.address_id))


def verifies(secret: str, sent: Message) -> bool:
    try:
        Webhook(secret).verify(sent.body, dict(sent.headers))
    except WebhookVerificationError:
        return False
    return True


def test_it_says_what_happened_and_nothing_about_persons() -> None:
    with at(make.MOMENT):
        to = make.address().address
        delivery = make.delivery(to, about="order_1", order_of="cart_secret", cart_id="cart_1")
    sent = signed(delivery)
    assert orjson.loads(sent.body) == {
        "type": "order.placed",
        "id": delivery.event.event_id,
        "version": 1,
        "timestamp": "2026-11-22T12:00:00.000Z",
        "data": {"id": "order_1", "cart_id": "cart_1"},
    }
    assert sent.headers["webhook-id"] == delivery.event.event_id
    assert sent.headers["webhook-delivery"] == delivery.pk
    assert sent.headers["content-type"] == "application/json"


def test_the_secret_verifies_it_and_no_other_does() -> None:
    made = make.address()
    sent = signed(make.delivery(made.address))
    assert made.secret.startswith("whsec_")
    assert verifies(made.secret, sent)
    assert not verifies(new_secret(), sent)
    assert not verifies(made.secret, Message(sent.body + b" ", sent.headers))
    assert not verifies(made.secret, Message(sent.body, {**sent.headers, "webhook-id": "evt_other"}))


def test_each_try_has_its_own_timestamp_and_the_same_id_and_body() -> None:
    with at(make.MOMENT):
        delivery = make.delivery(make.address().address)
        first = signed(delivery)
    with at(make.later(hours=2)):
        second = signed(delivery)
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    times = [int(sent.headers["webhook-timestamp"]) for sent in (first, second)]
    assert times == [int(make.MOMENT.timestamp()), int(make.later(hours=2).timestamp())]


class TestRotation:
    def test_both_secrets_verify_for_a_day_then_the_new_one_alone(self) -> None:
        moment = datetime.now(UTC)  # the library compares with the machine's clock
        made = make.address()
        delivery = make.delivery(made.address)
        changed = rotate(actor=SYSTEM, address_id=made.address.pk)
        assert changed.secret != made.secret
        sent = signed(delivery)
        assert len(sent.headers["webhook-signature"].split()) == 2
        assert verifies(made.secret, sent)
        assert verifies(changed.secret, sent)
        address = WebhookAddress.objects.get()
        with at(address.former_secret_until):
            headers = signed(delivery).headers
        assert len(headers["webhook-signature"].split()) == 1
        WebhookAddress.objects.update(former_secret_until=moment)
        sent = signed(delivery)
        assert not verifies(made.secret, sent)
        assert verifies(changed.secret, sent)

    def test_a_leaked_one_is_worth_nothing_at_once(self) -> None:
        made = make.address()
        delivery = make.delivery(made.address)
        changed = rotate(actor=SYSTEM, address_id=made.address.pk, is_leaked=True)
        sent = signed(delivery)
        assert not verifies(made.secret, sent)
        assert verifies(changed.secret, sent)


def test_the_table_holds_no_secret() -> None:
    made = make.address()
    changed = rotate(actor=SYSTEM, address_id=made.address.pk)
    stored = str(WebhookAddress.objects.values().get())
    for secret in (made.secret, changed.secret):
        assert secret not in stored
        assert secret.removeprefix("whsec_") not in stored
