"""What the verbs of webhook endpoints do, and who may call them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.errors import DomainError, Forbidden, InvalidData, NotFound
from kit.messages.webhooks.delivery.resending import resend_event, resend_missed
from kit.messages.webhooks.endpoints import adding
from kit.messages.webhooks.endpoints.adding import add
from kit.messages.webhooks.endpoints.changing import change
from kit.messages.webhooks.endpoints.deletion import delete
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.endpoints.enabling import enable
from kit.messages.webhooks.endpoints.rotation import rotate
from kit.messages.webhooks.errors import AddressDisabled, AddressTaken, TooManyWebhookEndpoints, WebhookAddressNotFound
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.timestamps import now
from tests.factories import webhooks as make
from tests.factories.actors import staff_actor
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db

ON_ONE: dict[str, Callable[..., Any]] = {
    "change": lambda **given: change(url="https://other.example/", events=[], **given),
    "disable": disable,
    "enable": enable,
    "rotate": rotate,
    "delete": delete,
    "resend_event": lambda **given: resend_event(event_id="evt_none", **given),
    "resend_missed": lambda **given: resend_missed(since=now(), **given),
}


class TestPermissions:
    def test_adding_takes_its_own(self) -> None:
        user = UserFactory()
        for actor in (ANONYMOUS, staff_actor("webhooks.change_webhookaddress")):
            with pytest.raises(Forbidden):
                add(actor=actor, url=make.URL)
        made = add(actor=staff_actor("webhooks.add_webhookaddress", id=user.pk), url=make.URL)
        assert made.address.created_by == user

    @pytest.mark.parametrize("verb", ON_ONE)
    def test_so_does_every_other_verb(self, verb: str) -> None:
        made = make.address().address
        before = WebhookAddress.objects.values().get()
        wrong = {"delete": "change"}.get(verb, "delete")
        with pytest.raises(Forbidden):
            ON_ONE[verb](actor=staff_actor(f"webhooks.{wrong}_webhookaddress"), address_id=made.pk)
        assert WebhookAddress.objects.values().get() == before

    @pytest.mark.parametrize("verb", ON_ONE)
    @pytest.mark.parametrize("address_id", ["webhook_none", "a\0b"])
    def test_an_address_that_is_not_there(self, verb: str, address_id: str) -> None:
        with pytest.raises(WebhookAddressNotFound):
            ON_ONE[verb](actor=SYSTEM, address_id=address_id)


class TestAdding:
    def test_an_unknown_event_is_named(self) -> None:
        with pytest.raises(InvalidData, match=r"'events' has no event 'order\.lost'\. Events: campaign\.created,"):
            add(actor=SYSTEM, url=make.URL, events=["order.placed", "order.lost"])

    def test_a_url_has_one_address_until_that_is_deleted(self) -> None:
        first = make.address().address
        with pytest.raises(
            AddressTaken, match=r"There is already a webhook endpoint with url: https://erp\.example/hooks"
        ):
            make.address()
        delete(actor=SYSTEM, address_id=first.pk)
        other = make.address().address
        third = make.address("https://third.example/").address
        with pytest.raises(AddressTaken):
            change(actor=SYSTEM, address_id=third.pk, url=other.url, events=[])

    def test_there_is_a_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(adding, "MOST_ADDRESSES", 2)
        first = make.address("https://a.example/").address
        make.address("https://b.example/")
        with pytest.raises(TooManyWebhookEndpoints, match="at most 2"):
            make.address("https://c.example/")
        delete(actor=SYSTEM, address_id=first.pk)
        make.address("https://c.example/")


class TestSwitching:
    def test_off_fails_what_is_pending_and_says_why(self) -> None:
        made = make.address().address
        delivery = make.delivery(made)
        disable(actor=SYSTEM, address_id=made.pk)
        disable(actor=SYSTEM, address_id=made.pk)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.error) == (DeliveryStatus.FAILED, "The endpoint was disabled")
        made.refresh_from_db()
        assert (made.state, made.disabled_reason) == ("disabled", "Disabled by staff")
        with pytest.raises(AddressDisabled):
            resend_event(actor=SYSTEM, address_id=made.pk, event_id=delivery.event.event_id)
        enable(actor=SYSTEM, address_id=made.pk)
        made.refresh_from_db()
        assert (made.state, made.disabled_reason) == ("active", "")

    def test_changing_the_url_tries_the_new_one_at_once(self) -> None:
        made = make.address().address
        WebhookAddress.objects.update(failing_since=now(), paused_until=now() + timedelta(minutes=5))
        changed = change(actor=SYSTEM, address_id=made.pk, url="https://new.example/", events=["order.placed"])
        changed.refresh_from_db()
        assert (changed.url, changed.events, changed.paused_until) == ("https://new.example/", ["order.placed"], None)


class TestResending:
    def test_a_delivered_event_goes_again_as_the_same_delivery(self) -> None:
        made = make.address().address
        delivery = make.delivery(made)
        Delivery.objects.update(status=DeliveryStatus.DELIVERED, ended_at=now(), attempts=1)
        resend_event(actor=SYSTEM, address_id=made.pk, event_id=delivery.event.event_id)
        again = Delivery.objects.get()
        assert (again.pk, again.status, again.ended_at) == (delivery.pk, DeliveryStatus.PENDING, None)

    def test_an_event_from_before_the_address_was_added(self) -> None:
        event = make.event()
        made = make.address().address
        resend_event(actor=SYSTEM, address_id=made.pk, event_id=event.event_id)
        assert Delivery.objects.get().event == event

    @pytest.mark.parametrize("event_id", ["evt_none", "a\0b"])
    def test_an_unknown_event(self, event_id: str) -> None:
        with pytest.raises(NotFound, match="Event with id: "):
            resend_event(actor=SYSTEM, address_id=make.address().address.pk, event_id=event_id)

    def test_what_was_missed_is_what_it_receives_and_has_not_had(self) -> None:
        made = make.address(make.URL, "order.placed").address
        delivered = make.delivery(made, about="order_1")
        failed = make.delivery(made, about="order_2")
        Delivery.objects.filter(pk=delivered.pk).update(status=DeliveryStatus.DELIVERED, ended_at=now())
        Delivery.objects.filter(pk=failed.pk).update(status=DeliveryStatus.FAILED, ended_at=now())
        make.event("order_3")
        make.event("pay_1", name="payment.captured")
        assert resend_missed(actor=SYSTEM, address_id=made.pk, since=now() - timedelta(days=1)) == 2
        pending = Delivery.objects.pending().order_by("event")
        assert list(pending.values_list("event__about", flat=True)) == ["order_2", "order_3"]

    @pytest.mark.usefixtures("db")
    def test_a_deleted_address_gets_nothing(self) -> None:
        made = make.address().address
        event = make.event()
        delete(actor=SYSTEM, address_id=made.pk)
        with pytest.raises(DomainError):
            resend_event(actor=SYSTEM, address_id=made.pk, event_id=event.event_id)
