"""The form of a customer in a real browser."""

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import Page
from tests.factories.customers import AddressFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COVERED = """(() => {
    const boxes = (query) => [...document.querySelectorAll(query)].map((one) => [one, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && box.height);
    const inputs = boxes('#addresses-group input[type=text]');
    return boxes('#addresses-group label').filter(([, label]) => inputs.some(([, input]) =>
        input.left < label.right && label.left < input.right && input.top < label.bottom && label.top < input.bottom,
    )).map(([one]) => one.innerText).concat(
        inputs.filter(([, box]) => box.right > innerWidth).map(([one]) => one.name));
})()"""


def test_no_field_of_an_address_covers_another(page: Page, live_server: LiveServer) -> None:
    customer = AddressFactory().customer
    page.send("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
    page.open(f"{live_server.url}/admin/customers/customer/{customer.pk}/change/")
    assert page.run("document.querySelectorAll('#addresses-group input[type=text]').length") >= 11
    assert page.run(COVERED) == []
    assert page.complaints == []
