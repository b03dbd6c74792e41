"""The seller's form, the invoices that wait and the accounts in a real browser, on desktop and phone."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.contrib.admin.utils import quote
from django.utils.timezone import localdate
from pytest_django.live_server_helper import LiveServer

from kit.domain.actor import SYSTEM
from orders.models import Order
from orders.states import Invoicing
from payments.movements import refunding
from shop.models import Store
from tests.browser.chromium import Page
from tests.factories import payments as make
from tests.factories.giftcards import gift_card
from tests.orders.reports.documents import an_order, credit_note, document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def a_year_of_books() -> None:
    day, order = localdate(), an_order()
    for month in range(1, day.month + 1):
        lines = ("S", "7", "2000.00", "140.00"), ("S", "19", "14120.00", "2682.80"), ("O", "", "50.00", "0")
        at = f"{day.replace(month=month, day=1)}T12:00:00"
        document(order, at, *lines, taxes=(("REDUCED", "7", "140.00"), ("FULL", "19", "2682.80")))
    credit_note(order, f"{day}T12:00:00", ("S", "7", "2.62", "0.18"), taxes=(("REDUCED", "7", "0.18"),))
    quebec = ("S", "5+9.975", "80.00", "11.98")
    document(
        an_order(shipped_to="ca"), f"{day}T12:00:00", quebec, taxes=(("GST", "5", "4.00"), ("QST", "9.975", "7.98"))
    )
    document(an_order(shipped_to="ch"), f"{day}T12:00:00", ("E", "", "300.00", "0"))
    gift_card(20)
    payment = make.captured_payment(50)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("7.50"))
    Order.objects.filter(pk=an_order().pk).update(invoicing=Invoicing.WAITING)


def test_seller_waiting_invoices_and_accounts_fit_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    a_year_of_books()
    Store.objects.update(legal_name="Teas and more GmbH", address_1="1 Harbour Street", country_code="de")
    store = f"/admin/shop/store/{quote(Store.objects.get().pk)}/change/"

    def look(name: str, address: str, *, height: int = 1400) -> str:
        for width in (1280, 390):
            page.open(f"{live_server.url}{address}")
            page.shoot(tmp_path / f"{name}-{width}.png", width=width, height=height)
            assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), (width, address)
        return page.text

    look("store", store, height=2200)
    assert "The store lacks city, tax number or registration number." in look("overview", "/admin/")
    assert "5 % + 9.975 %" in look("accounts", "/admin/orders/order/accounts/", height=3000)
    Store.objects.update(city="Hamburg", tax_number="DE123456789")
    assert "Write these invoices" in look("complete", "/admin/")
    look("write", "/admin/orders/order/waiting-invoices/")
    assert page.complaints == []
