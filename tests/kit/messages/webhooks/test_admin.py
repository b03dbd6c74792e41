"""The screens of webhook endpoints, their deliveries, and events."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session

from kit.domain.actor import SYSTEM
from kit.messages.webhooks.delivery.message import message
from kit.messages.webhooks.endpoints.disabling import disable
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.timestamps import now
from tests.factories import webhooks as make
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import history, refusals, reported, superuser, visitor
from tests.kit.messages.webhooks.test_message import verifies

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/webhooks/webhookaddress/"
ADD = f"{LIST}add/"
DELIVERIES = "/admin/webhooks/delivery/"
VIEW, CHANGE = "webhooks.view_webhookaddress", "webhooks.change_webhookaddress"
YES = {"post": "yes"}


def secret_on(answer: Any) -> str:
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return re.search(r'<code id="secret"[^>]*>(.*?)</code>', answer.content.decode())[1].replace("&#x2B;", "+")


class TestAddresses:
    def test_a_new_ones_secret_is_on_the_page_that_answers_and_nowhere_else(self) -> None:
        client = superuser()
        answer = client.post(ADD, {"url": make.URL, "events": ["order.placed"]})
        secret, address = secret_on(answer), WebhookAddress.objects.get()
        assert (address.url, address.events, address.created_by) == (make.URL, ["order.placed"], client.user)
        assert verifies(secret, message(make.delivery(address), address))
        assert history() == [(make.URL, 1)]
        pages = [LIST, f"{LIST}{address.pk}/change/", f"{LIST}{address.pk}/history/", "/admin/"]
        content = "".join(client.get(page).content.decode() for page in pages)
        kept = [str(session.get_decoded()) for session in Session.objects.all()]
        kept += [f"{entry.object_repr} {entry.change_message}" for entry in LogEntry.objects.all()]
        for text in (content, *kept):
            assert secret not in text
            assert address.sealed_secret not in text

    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            ({"url": "http://erp.example/"}, "Value for field 'url' must begin with https://"),
            ({"url": "https://u:p@erp.example/"}, "Value for field 'url' must not have a user or password"),
            ({"url": "https://10.0.0.1/"}, "Value for field 'url' must lead to a public address"),
        ],
    )
    def test_a_refusal_stands_above_the_form(self, given: dict[str, str], problem: str) -> None:
        (refusal,) = refusals(superuser().post(ADD, given))
        assert refusal.startswith(problem)
        assert not WebhookAddress.objects.exists()

    def test_an_unknown_event_stands_at_its_field(self) -> None:
        answer = superuser().post(ADD, {"url": make.URL, "events": ["order.lost"]})
        assert list(errors(answer)) == ["events"]

    def test_the_url_and_the_events_are_changed(self) -> None:
        address, client = make.address().address, superuser()
        form = f"{LIST}{address.pk}/change/"
        submit(client, form, sent(client, form, url="https://new.example/", events=["payment.captured"]))
        address.refresh_from_db()
        assert (address.url, address.events) == ("https://new.example/", ["payment.captured"])

    def test_events_that_were_chosen_meanwhile_are_named(self) -> None:
        address, client = make.address().address, superuser()
        form = f"{LIST}{address.pk}/change/"
        values = sent(client, form, url="https://new.example/")
        WebhookAddress.objects.update(events=["order.placed", "payment.captured"])
        (text,) = errors(client.post(form, values))["events"]
        assert re.fullmatch("Current value: order.placed: .*, payment.captured: .* Saved outside this site.", text)
        assert WebhookAddress.objects.get().url == make.URL

    def test_the_secret_is_changed(self) -> None:
        made, client = make.address(), superuser()
        page = f"{LIST}{made.address.pk}/rotate/"
        assert "Change the secret of this endpoint?" in client.get(page).content.decode()
        secret = secret_on(client.post(page, YES))
        address = WebhookAddress.objects.get()
        both = message(make.delivery(address), address)
        assert secret != made.secret
        assert verifies(secret, both)
        assert verifies(made.secret, both)
        assert LogEntry.objects.get().change_message == "Secret changed."

    def test_it_is_switched_off_and_on(self) -> None:
        address, client = make.address().address, superuser()
        form = f"{LIST}{address.pk}/change/"
        assert "disable/" in client.get(form).content.decode()
        assert client.post(f"{LIST}{address.pk}/disable/", YES).status_code == 302
        address.refresh_from_db()
        assert address.state == "disabled"
        page = client.get(form).content.decode()
        assert "Disabled by staff" in page
        assert "enable/" in page
        client.post(f"{LIST}{address.pk}/enable/", YES)
        address.refresh_from_db()
        assert address.state == "active"

    def test_it_is_deleted(self) -> None:
        address, client = make.address().address, superuser()
        assert client.post(f"{LIST}{address.pk}/delete/", YES).status_code == 302
        address.refresh_from_db()
        assert address.deleted_at is not None
        client.get(LIST)  # shows the message
        assert address.url not in client.get(LIST).content.decode()

    def test_looking_takes_one_permission_and_changing_another(self) -> None:
        address, client = make.address().address, visitor(VIEW)
        assert client.get(f"{LIST}{address.pk}/change/").status_code == 200
        for act in ("rotate", "enable", "disable"):
            assert client.post(f"{LIST}{address.pk}/{act}/", YES).status_code == 403
        assert client.post(ADD, {"url": "https://b.example/"}).status_code == 403

    @pytest.mark.parametrize(
        ("state", "found"), [("active", "a"), ("failing", "b"), ("disabled", "c"), ("nonsense", "abc")]
    )
    def test_they_are_filtered_by_state(self, state: str, found: str) -> None:
        rows = {name: make.address(f"https://{name}.example/").address for name in "abc"}
        WebhookAddress.objects.filter(pk=rows["b"].pk).update(failing_since=now())
        disable(actor=SYSTEM, address_id=rows["c"].pk)
        page = superuser().get(f"{LIST}?state={state}").content.decode()
        assert "".join(name for name in rows if f"https://{name}.example/" in page) == found

    def test_the_dashboard_says_that_one_is_off(self) -> None:
        assert "Webhooks" not in [panel.title for panel in superuser().get("/admin/").context["panels"]]
        disable(actor=SYSTEM, address_id=make.address().address.pk)
        (panel,) = (panel for panel in superuser().get("/admin/").context["panels"] if panel.title == "Webhooks")
        assert [(figure.count, figure.meaning) for figure in panel.figures] == [
            (0, "active"),
            (0, "failing"),
            (1, "disabled"),
        ]
        assert superuser().get(panel.figures[2].address).status_code == 200
        assert "Webhooks" not in [panel.title for panel in visitor().get("/admin/").context["panels"]]


class TestDeliveries:
    def failed(self) -> Delivery:
        delivery = make.delivery(make.address().address)
        Delivery.objects.update(status=DeliveryStatus.FAILED, ended_at=now(), error="Answered with status 500")
        return delivery

    def test_the_list_says_how_it_went(self) -> None:
        self.failed()
        page = superuser().get(DELIVERIES).content.decode()
        assert all(text in page for text in ("order.placed", "order_1", make.URL, "failed", "Answered with status 500"))

    def test_selected_ones_are_sent_again(self) -> None:
        delivery, client = self.failed(), superuser()
        given = {"action": "resend_selected", "_selected_action": [delivery.pk], **YES}
        answer = client.post(DELIVERIES, given)
        assert reported(answer) == ["1 delivery sent again."]
        assert Delivery.objects.get().status == DeliveryStatus.PENDING

    def test_one_is_sent_again_from_its_page(self) -> None:
        delivery, client = self.failed(), superuser()
        assert "resend/" in client.get(f"{DELIVERIES}{delivery.pk}/change/").content.decode()
        assert client.post(f"{DELIVERIES}{delivery.pk}/resend/", YES).status_code == 302
        assert Delivery.objects.get().status == DeliveryStatus.PENDING

    def test_not_to_an_address_that_is_off(self) -> None:
        delivery = self.failed()
        disable(actor=SYSTEM, address_id=delivery.address_id)
        answer = superuser().post(f"{DELIVERIES}{delivery.pk}/resend/", YES)
        assert reported(answer) == [f"{delivery}: The webhook endpoint is disabled. Enable it first"]

    def test_sending_again_takes_the_permission_to_change_addresses(self) -> None:
        delivery = self.failed()
        client = visitor("webhooks.view_delivery", VIEW)
        assert client.post(f"{DELIVERIES}{delivery.pk}/resend/", YES).status_code == 403
        assert "resend_selected" not in client.get(DELIVERIES).content.decode()
        allowed = visitor("webhooks.view_delivery", CHANGE)
        assert allowed.post(f"{DELIVERIES}{delivery.pk}/resend/", YES).status_code == 302
        assert Delivery.objects.get().status == DeliveryStatus.PENDING


def test_an_event_is_shown() -> None:
    event = make.event(cart_id="cart_1")
    page = superuser().get(f"/admin/outbox/event/{event.pk}/change/").content.decode()
    assert event.event_id in page
    assert "cart_1" in page
