"""How events reach an address: each once it answers, an order's in their order."""

import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.messages.webhooks.delivery import delivering, fan_out
from kit.messages.webhooks.delivery.delivering import addresses_with_work, deliver_next
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.leases import LEASE, claim_next
from kit.messages.webhooks.delivery.resending import resend_event, resend_missed
from kit.messages.webhooks.delivery.working import deliver_all
from kit.messages.webhooks.endpoints.adding import add
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.endpoints.enabling import enable
from kit.messages.webhooks.endpoints.rotation import rotate
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from tests.factories import webhooks as make
from tests.factories.clock import at
from tests.factories.staff import UserFactory
from tests.kit.messages.webhooks.receiver import Handler, Receiver


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> "Sending":
    """What is sent, by what it is about, without a network."""
    return Sending(monkeypatch)


class Sending(list[str]):
    """`failure` decides how a try about something fails; None: it succeeds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.failure: Callable[[str], DeliveryFailed | None] = lambda _: None
        monkeypatch.setattr(delivering, "post", self._post)

    def down(self) -> None:
        self.failure = lambda _: DeliveryFailed("No connection within 5 seconds")

    def refuses(self, *about: str) -> None:
        self.failure = lambda each: DeliveryFailed("Answered with status 500", status=500) if each in about else None

    def up(self) -> None:
        self.failure = lambda _: None

    def taken(self) -> list[str]:
        """What was sent since the last call."""
        before = list(self)
        self.clear()
        return before

    def _post(self, target: object, body: bytes, headers: dict[str, str]) -> int:
        about = Event.objects.get(event_id=headers["webhook-id"]).about
        self.append(about)
        if failed := self.failure(about):
            raise failed
        return 200


def state(about: str = "order_1") -> tuple[str, str]:
    delivery = Delivery.objects.get(event__about=about)
    return delivery.status, delivery.error


def deliver(hours: float = 0, **parts: float) -> None:
    with at(make.later(hours=hours, **parts)):
        deliver_all()


def record(*about: str, order_of: str | None = None, hours: float = 0) -> None:
    with at(make.later(hours=hours)):
        for each in about:
            make.event(each, order_of=order_of)


@pytest.fixture
def address() -> WebhookAddress:
    with at(make.MOMENT):
        return make.address().address


@pytest.mark.django_db
class TestWhoReceivesWhat:
    def test_every_address_all_events_or_those_it_chose(self, sent: Sending) -> None:
        every = make.address("https://a.example/").address
        money = make.address("https://b.example/", "payment.captured", "payment.refunded").address
        make.event("order_1")
        make.event("pay_1", name="payment.captured")
        deliver_all()
        received = Delivery.objects.filter(status=DeliveryStatus.DELIVERED).order_by("event")
        assert list(received.filter(address=every).values_list("event__about", flat=True)) == ["order_1", "pay_1"]
        assert list(received.filter(address=money).values_list("event__about", flat=True)) == ["pay_1"]

    def test_none_that_is_off_or_deleted(self, sent: Sending, address: WebhookAddress) -> None:
        disable(actor=SYSTEM, address_id=address.pk)
        make.event()
        deliver_all()
        assert (sent, Delivery.objects.count()) == ([], 0)

    def test_without_addresses_events_are_dealt_with_once(self) -> None:
        make.event()
        deliver_all()
        assert Event.objects.get().dispatched_at is not None
        make.address()
        deliver_all()
        assert not Delivery.objects.exists()

    def test_many_events_are_dealt_with_in_batches(
        self, sent: Sending, address: WebhookAddress, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fan_out, "_MOST_EVENTS", 2)
        record("order_1", "order_2", "order_3", "order_4", "order_5")
        deliver()
        assert sent == ["order_1", "order_2", "order_3", "order_4", "order_5"]

    def test_a_delivered_event_is_not_sent_again(self, sent: Sending, address: WebhookAddress) -> None:
        record("order_1")
        deliver()
        deliver(hours=1)
        assert sent == ["order_1"]
        assert state() == ("delivered", "")


@pytest.mark.django_db
class TestAReceiverThatIsDown:
    def test_36_down_for_an_hour_then_everything_comes_in_order_with_the_same_ids(self, receiver: Receiver) -> None:
        with at(make.MOMENT):
            make.address(receiver.url)
        receiver.answer = 503
        ids = {}
        for minute, (about, of) in enumerate([("a1", "A"), ("b1", "B"), ("a2", "A"), ("a3", "A"), ("b2", "B")]):
            with at(make.later(minutes=minute)):
                ids[about] = make.event(about, order_of=of).event_id
                deliver_all()
        for minute in range(5, 60, 5):
            deliver(minutes=minute)
        assert set(receiver.about) == {"a1", "b1"}, "the order's later events wait"
        assert len(receiver.requests) > 8
        receiver.requests, tried, receiver.answer = [], receiver.requests, 200
        for minute in range(60, 240, 20):
            deliver(minutes=minute)
        assert sorted(receiver.about) == sorted(ids)
        assert [about for about in receiver.about if about[0] == "a"] == ["a1", "a2", "a3"]
        assert [about for about in receiver.about if about[0] == "b"] == ["b1", "b2"]
        for request in [*tried, *receiver.requests]:
            assert request.headers["webhook-id"] == request.event["id"] == ids[request.about]
        deliveries = {(request.about, request.headers["webhook-delivery"]) for request in [*tried, *receiver.requests]}
        assert deliveries == set(Delivery.objects.values_list("event__about", "pk"))

    def test_waits_double_until_an_hour_and_end_after_a_day(self, sent: Sending, address: WebhookAddress) -> None:
        sent.refuses("order_1")
        record("order_1")
        moments = [make.MOMENT]
        deliver()
        while Delivery.objects.pending().exists():
            moments.append(Delivery.objects.get().due_at)
            with at(moments[-1] - timedelta(milliseconds=1)):
                deliver_all()
            assert len(sent) == len(moments) - 1, "not before it is due"
            with at(moments[-1]):
                deliver_all()
        waits = [(after - before).total_seconds() for before, after in pairwise(moments)]
        assert waits[:12] == [5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]
        assert set(waits[12:-1]) == {3600}
        assert moments[-1] == make.later(hours=24)
        assert len(sent) == len(moments)
        assert state() == ("failed", "Answered with status 500")

    def test_after_a_day_the_next_event_of_the_order_goes(self, sent: Sending, address: WebhookAddress) -> None:
        sent.refuses("order_1")
        record("order_1", "order_1b", order_of="order_1")
        record("order_2", order_of="order_2")
        deliver()
        assert sent.taken() == ["order_1", "order_2"]
        deliver(hours=23)
        assert sent.taken() == ["order_1"]
        assert state("order_1b") == ("pending", "")
        deliver(hours=24)
        assert sent.taken() == ["order_1", "order_1b"]
        assert (state("order_1")[0], state("order_1b")[0]) == ("failed", "delivered")

    def test_one_that_does_not_answer_is_left_alone_for_a_while(self, sent: Sending, address: WebhookAddress) -> None:
        sent.down()
        record("order_1", "order_2", "order_3")
        deliver()
        assert sent.taken() == ["order_1"], "the others would only spend their tries"
        deliver(seconds=4)
        assert sent.taken() == []
        deliver(seconds=5)
        assert sent.taken() == ["order_1"]
        sent.up()
        deliver(seconds=20)
        assert sorted(sent.taken()) == ["order_1", "order_2", "order_3"]
        address.refresh_from_db()
        assert (address.failing_since, address.paused_until, address.state) == (None, None, "active")

    def test_it_is_never_left_alone_for_more_than_five_minutes(self, sent: Sending, address: WebhookAddress) -> None:
        sent.down()
        record(*(f"order_{number}" for number in range(30)))
        for hour in range(13):
            deliver(hours=hour)
        address.refresh_from_db()
        assert address.paused_until == make.later(hours=12, minutes=5)
        sent.clear()
        sent.up()
        deliver(hours=12, minutes=5)
        assert len(sent) > 10

    def test_after_a_day_without_an_answer_waiting_deliveries_fail_too(
        self, sent: Sending, address: WebhookAddress
    ) -> None:
        sent.down()
        record("order_1", "order_2")
        deliver()
        record("order_3", hours=23)
        deliver(hours=23)
        deliver(hours=24, minutes=5)
        assert {state(f"order_{number}")[0] for number in (1, 2)} == {"failed"}
        assert state("order_3")[0] == "pending"

    def test_a_worker_that_was_away_for_a_day_still_delivers(self, sent: Sending, address: WebhookAddress) -> None:
        record("order_1")
        with at(make.MOMENT):
            fan_out.fan_out()
        deliver(hours=30)
        assert state() == ("delivered", "")


@pytest.mark.django_db
class TestSwitchingOff:
    def fail_for(self, sent: Sending, hours: int) -> None:
        sent.down()
        for hour in range(0, hours + 1, 6):
            record(f"order_{hour}", hours=hour)
            deliver(hours=hour)

    def test_not_before_three_days_of_failures(self, sent: Sending, address: WebhookAddress) -> None:
        self.fail_for(sent, 66)
        address.refresh_from_db()
        assert (address.disabled_at, address.state) == (None, "failing")

    def test_after_three_days_with_the_reason_and_a_mail_to_staff(self, sent: Sending, address: WebhookAddress) -> None:
        staff = UserFactory(is_superuser=True)
        self.fail_for(sent, 72)
        assert list(Mail.objects.values_list("kind", "about")) == [("webhook_switched_off", staff.pk)]
        address.refresh_from_db()
        assert address.disabled_at == make.later(hours=72)
        assert address.disabled_reason == "Every delivery failed for 3 days, last: No connection within 5 seconds"
        assert not Delivery.objects.pending().exists()
        sent.clear()
        record("order_later", hours=73)
        deliver(hours=73)
        assert sent == []

    def test_one_success_in_between_begins_the_count_again(self, sent: Sending, address: WebhookAddress) -> None:
        self.fail_for(sent, 66)
        sent.up()
        deliver(hours=67)
        sent.down()
        record("order_last", hours=68)
        deliver(hours=73)
        address.refresh_from_db()
        assert (address.disabled_at, address.failing_since) == (None, make.later(hours=73))

    def test_what_was_missed_is_sent_again_once_it_is_on(self, sent: Sending, address: WebhookAddress) -> None:
        self.fail_for(sent, 72)
        record("order_later", hours=73)
        deliver(hours=73)
        sent.clear()
        sent.up()
        enable(actor=SYSTEM, address_id=address.pk)
        with at(make.later(hours=80)):
            assert resend_missed(actor=SYSTEM, address_id=address.pk, since=make.later(hours=60)) == 4
            deliver_all()
        assert sent == ["order_60", "order_66", "order_72", "order_later"]

    def test_a_secret_of_another_secret_key_switches_it_off_until_it_is_changed(
        self, sent: Sending, address: WebhookAddress, settings: Settings
    ) -> None:
        settings.SECRET_KEY = "another-" + settings.SECRET_KEY
        record("order_1")
        deliver()
        address.refresh_from_db()
        assert address.disabled_reason.startswith("Its secret cannot be read, since SECRET_KEY was changed")
        assert sent == []
        rotate(actor=SYSTEM, address_id=address.pk)
        enable(actor=SYSTEM, address_id=address.pk)
        event = Event.objects.get()
        with at(make.later(minutes=1)):
            resend_event(actor=SYSTEM, address_id=address.pk, event_id=event.event_id)
            deliver_all()
        assert sent == ["order_1"]

    def test_http_that_is_no_longer_allowed_fails(self, local: None, sent: Sending, settings: Settings) -> None:
        with at(make.MOMENT):
            add(actor=SYSTEM, url="http://erp.example/")
        settings.WEBHOOKS_TO_LOCAL_ADDRESSES = False
        record("order_1")
        deliver()
        assert sent == []
        assert state() == ("pending", "The URL is no longer allowed")


@pytest.mark.django_db(transaction=True)
class TestTwoWorkers:
    def test_two_workers_deliver_each_event_once(self, receiver: Receiver) -> None:
        """Both begin at once; the receiver holds the first request until the other worker is done."""
        make.address(receiver.url)
        make.event("a1", order_of="A")
        make.event("a2", order_of="A")
        arrived, others_done = threading.Event(), threading.Event()

        def hold(handler: Handler) -> None:
            arrived.set()
            others_done.wait(10)
            handler.send_response(200)
            handler.send_header("content-length", "0")
            handler.end_headers()

        receiver.answer = hold
        first = threading.Thread(target=worker)
        first.start()
        assert arrived.wait(10)
        worker()
        assert receiver.about == ["a1"], "the second worker neither repeats the first event nor sends the next"
        others_done.set()
        first.join()
        assert receiver.about == ["a1", "a2"]
        assert set(Delivery.objects.values_list("status", "attempts")) == {("delivered", 1)}

    def test_many_workers_at_once(self, receiver: Receiver) -> None:
        make.address(receiver.url)
        for number in range(20):
            make.event(f"order_{number}", order_of=f"order_{number % 3}")
        workers = [threading.Thread(target=worker) for _ in range(4)]
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        worker()
        assert sorted(receiver.about) == sorted(f"order_{number}" for number in range(20))
        for of in range(3):
            numbers = [int(about.removeprefix("order_")) for about in receiver.about]
            assert [number for number in numbers if number % 3 == of] == list(range(of, 20, 3))


def worker() -> None:
    try:
        deliver_all()
    finally:
        connection.close()


@pytest.mark.django_db
class TestClaims:
    def test_a_killed_workers_delivery_goes_on_after_its_lease_and_it_records_nothing(
        self, sent: Sending, address: WebhookAddress
    ) -> None:
        record("order_1")
        with at(make.MOMENT):
            fan_out.fan_out()
            paused = claim_next(address)
            assert paused is not None
            assert claim_next(address) is None
            assert addresses_with_work() == []
        deliver(seconds=LEASE.total_seconds() + 1)
        assert sent == ["order_1"]
        delivering._failed(paused, DeliveryFailed("No answer within 10 seconds"))
        assert state() == ("delivered", "")
        address.refresh_from_db()
        assert address.failing_since is None

    def test_nothing_due(self, address: WebhookAddress) -> None:
        assert deliver_next(address.pk) is False
        assert deliver_next("webhook_none") is False
