"""The screens of invoices and credit notes in a real browser, on desktop and phone."""

from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from orders.admin.actions import action_url
from orders.invoices.printing.files import keep
from orders.models import Invoice
from tests.browser.chromium import Page
from tests.orders.invoices.shop import documents, invoiced

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_invoice_is_corrected_and_everything_fits_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path, settings: Settings
) -> None:
    settings.INVOICE_DIR = str(tmp_path / "invoices")
    order = invoiced()
    invoice = Invoice.objects.get()
    keep(invoice, b"%PDF-1.7")
    own, order_page = f"/admin/orders/invoice/{quote(invoice.pk)}", f"/admin/orders/order/{quote(order.pk)}/change/"
    form = action_url(order.pk, "correct-invoice", invoice.pk)

    def look(*addresses: str) -> None:
        for width in (1400, 390):
            for address in addresses:
                page.open(f"{live_server.url}{address}")
                name = f"{width}-{Invoice.objects.count()}-{address.strip('/').replace('/', '-')[-60:]}.png"
                page.shoot(tmp_path / name, width=width, height=1400)
                assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (width, address)

    look("/admin/orders/invoice/", f"{own}/change/", f"{own}/print/", order_page, form)
    page.open(f"{live_server.url}{own}/change/")
    page.follow("document.querySelector('a[href$=\\'/correct/\\']').click()")
    page.follow("[...document.querySelectorAll('button')].find(each => each.innerText == 'Correct').click()")
    assert documents(order) == "R1 50.00+10.00, G1 50.00+10.00, R2 50.00+10.00"
    look("/admin/orders/invoice/", f"{own}/change/", order_page)
    assert page.complaints == []
