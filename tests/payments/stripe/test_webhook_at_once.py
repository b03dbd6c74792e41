"""Stripe sends an event again and again, at the same moment, to several workers."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import pytest

from payments.models import Capture, PaymentSession, ProviderEvent, Refund
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.payments.stripe.conftest import PROVIDER_ID
from tests.payments.stripe.fake import WEBHOOK_SECRET, Fake, signed
from tests.payments.stripe.lives import taken_and_given_back_in_parts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

CROWD = 20


@pytest.fixture(scope="module")
def running(database_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    environment = {
        **database_environment,
        "STRIPE_SECRET_KEY": "sk_test_unused",
        "STRIPE_WEBHOOK_SECRET": WEBHOOK_SECRET,
    }
    with running_server(environment, log=tmp_path_factory.mktemp("webhook") / "log", headers={}) as server:
        yield server


@pytest.mark.parametrize("is_one_event", [True, False], ids=["the same event", "events that say the same"])
def test_what_many_tell_at_once_is_recorded_once(
    running: RunningServer, fake: Fake, session: PaymentSession, is_one_event: bool
) -> None:
    taken_and_given_back_in_parts(fake, session.data["id"])
    last = fake.events()[-1]

    def telling(turn: int) -> Sent:
        event = last if is_one_event else {**last, "id": f"evt_{turn}"}
        _, signature = signed(event)
        return Sent(f"/hooks/payments/{PROVIDER_ID}", event, {"Stripe-Signature": signature})

    answers = running.at_once(telling, number=CROWD)
    assert Counter((answer.status, str(answer.body)) for answer in answers) == {(200, "{'status': 'ok'}"): CROWD}
    assert ProviderEvent.objects.count() == (1 if is_one_event else CROWD)
    assert list(Capture.objects.values_list("amount", flat=True)) == [Decimal(50)]
    assert list(Refund.objects.values_list("amount", flat=True)) == [Decimal(50)]
    now = PaymentSession.objects.select_related("collection").get(pk=session.pk)
    assert (now.status, now.collection.status) == ("captured", "completed")


def test_a_whole_life_reported_at_once_many_times_is_recorded_once(
    running: RunningServer, fake: Fake, session: PaymentSession
) -> None:
    taken_and_given_back_in_parts(fake, session.data["id"])
    events = fake.events()

    def telling(turn: int) -> Sent:
        event = events[turn % len(events)]
        _, signature = signed(event)
        return Sent(f"/hooks/payments/{PROVIDER_ID}", event, {"Stripe-Signature": signature})

    answers = running.at_once(telling, number=CROWD)
    assert Counter(answer.status for answer in answers) == {200: CROWD}
    assert ProviderEvent.objects.count() == len(events)
    assert sum(Capture.objects.values_list("amount", flat=True)) == 50
    assert sum(Refund.objects.values_list("amount", flat=True)) == 50
