"""Adding a webhook endpoint in a browser, and looking after its deliveries."""

import pytest
from pytest_django.live_server_helper import LiveServer

from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.messages.webhooks.states import DeliveryStatus
from kit.values.timestamps import now
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.factories import webhooks as make

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


def test_an_address_is_added_and_its_secret_shown_once(page: Page, live_server: LiveServer) -> None:
    page.open(f"{live_server.url}/admin/webhooks/webhookaddress/add/")
    page.fill(url=make.URL)
    page.run("document.querySelector('[name=events][value=\"order.placed\"]').click()")
    page.follow("document.querySelector('[name=_save]').click()")
    secret = page.run("document.getElementById('secret').innerText")
    assert secret.startswith("whsec_")
    assert "Copy the secret now." in page.text
    assert violations(page) == []
    address = WebhookAddress.objects.get()
    assert (address.url, address.events) == (make.URL, ["order.placed"])
    page.follow("[...document.querySelectorAll('a')].find(link => link.innerText === 'Done').click()")
    assert page.run("document.querySelector('[name=url]').value") == make.URL
    assert secret not in page.run("document.documentElement.outerHTML")
    assert page.complaints == []


def test_a_failed_delivery_is_sent_again(page: Page, live_server: LiveServer) -> None:
    delivery = make.delivery(make.address().address)
    Delivery.objects.update(status=DeliveryStatus.FAILED, ended_at=now(), error="Answered with status 500")
    page.open(f"{live_server.url}/admin/webhooks/delivery/{delivery.pk}/change/")
    assert "Answered with status 500" in page.text
    page.follow("[...document.querySelectorAll('a')].find(link => link.innerText.includes('Send again')).click()")
    assert "Send these events again?" in page.text
    page.follow("document.querySelector('[name=post]').form.requestSubmit()")
    assert "1 delivery sent again." in page.text
    assert Delivery.objects.get().status == DeliveryStatus.PENDING
    assert page.complaints == []
