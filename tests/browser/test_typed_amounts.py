"""Amounts typed with a comma, by hand: every character arrives, and money moves once its amount was confirmed."""

from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Price, ProductVariant
from orders.admin.actions import action_url
from orders.models import GrantedRefund
from tests.browser.axe import violations
from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.orders.refunds.shop import reason, refund
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(1280, 900), (390, 844)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_refund_of_3_40_is_asked_about_and_refunds_3_40(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    order, why, hands = paid(), reason(), Mouse(page)
    page.resize(width, height)
    page.open(f"{live_server.url}{action_url(order.pk, 'refund')}")
    hands.fill("amount", "3,40")
    assert page.run("document.querySelector('[name=amount]').value") == "3,40"
    assert page.run("document.querySelector('[name=amount]').inputMode") == "decimal"
    hands.fill("refund_reason_id", str(why))
    said = hands.submit()
    assert "Refund $3.40 to where it was paid from?" in said
    assert not GrantedRefund.objects.exists()
    page.shoot(tmp_path / "asked.png", width=width, height=height)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    assert "Refund of $3.40" in hands.submit()
    assert GrantedRefund.objects.get().amount == Decimal("3.40")
    assert page.complaints == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_refund_of_340_where_3_40_is_left_is_refused_without_a_question(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    order, why, hands = paid(), reason(), Mouse(page)
    refund(order, "51.60")
    page.resize(width, height)
    page.open(f"{live_server.url}{action_url(order.pk, 'refund')}")
    hands.fill("amount", "340")
    hands.fill("refund_reason_id", str(why))
    said = hands.submit()
    assert "Refund $340.00: the amount can be at most $3.40." in said
    assert "Nothing has been done yet" not in said
    assert page.run("document.querySelector('[name=amount]').value") == "340"
    page.shoot(tmp_path / "refused.png", width=width, height=height)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    hands.fill("amount", "3,40")
    assert "Refund of $3.40" in hands.move_money()
    assert GrantedRefund.objects.latest("pk").amount == Decimal("3.40")
    assert page.complaints == []


def test_without_scripts_it_is_the_same(page: Page, live_server: LiveServer) -> None:
    order, why = paid(), reason()
    page.switch_off_scripts()
    page.open(f"{live_server.url}{action_url(order.pk, 'refund')}")
    page.fill(amount="3,40", refund_reason_id=why.pk)
    press = "document.querySelector('[name=ticket]').form.querySelector('[type=submit]').click()"
    page.follow(press)
    assert "Refund $3.40 to where it was paid from?" in page.text
    page.follow(press)
    assert GrantedRefund.objects.get().amount == Decimal("3.40")


def test_a_question_with_a_long_address_stays_on_a_phone(page: Page, live_server: LiveServer) -> None:
    ann = CustomerFactory(email=f"{'ann' * 20}@{'example' * 8}.com", has_account=True)
    account = store_credit(ann, 10)
    page.resize(390, 844)
    page.open(f"{live_server.url}/admin/giftcards/storecreditaccount/{account.pk}/adjust/")
    page.fill(amount="-3,40", reason="Returned in the shop")
    assert f"Take $3.40 from {ann.email}?" in Mouse(page).submit()
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")


def test_what_stands_beside_an_error_stays_where_it_is(page: Page, live_server: LiveServer) -> None:
    RegionFactory(currency_id="eur")
    page.resize(1280, 900)
    page.open(f"{live_server.url}/admin/carts/promotion/add/")
    page.fill(code="A", type="fixed", value="3.400", currency="eur")
    page.follow("document.querySelector('[name=_save]').click()")
    assert "'3.400' can be 3.40 or 3400.00. Enter one of the two." in page.text
    top = "document.querySelector('[name={}]').getBoundingClientRect().y"
    assert page.run(top.format("type")) == page.run(top.format("value"))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_grids_take_commas_and_say_what_can_be_two_amounts(
    page: Page, live_server: LiveServer, tmp_path: Path, width: int, height: int
) -> None:
    RegionFactory(currency_id="eur")
    for sku in ("one", "two"):
        price(VariantFactory(product=ProductFactory(title=sku), title="Only", sku=sku), 10, "eur")
    page.resize(width, height)
    page.open(f"{live_server.url}/admin/catalog/product/edit_prices_and_stock/?o=2")
    hands = Mouse(page)
    cells = ".variant-grid tbody tr:nth-child({}) td[data-label='Price €'] input"
    for number, text in ((1, "1.234,50"), (2, "3.400")):
        hands.activate(cells.format(number), leaves=False)
        hands._put(text)
    save = "document.querySelector('.variant-grid').closest('form').requestSubmit()"
    page.follow(save)
    assert "'3.400' can be 3.40 or 3400.00. Enter one of the two." in page.text
    assert page.run(f'document.querySelector("{cells.format(1)}").value') == "1.234,50"
    page.shoot(tmp_path / "two.png", width=width, height=height)
    assert page.run("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    hands.activate(cells.format(2), leaves=False)
    hands._put("3,40")
    page.follow(save)
    amounts = Price.objects.order_by("amount").values_list("amount", flat=True)
    assert list(amounts) == [Decimal("3.40"), Decimal("1234.50")]
    assert page.complaints == []


def test_the_weight_of_a_variant_keeps_its_comma(page: Page, live_server: LiveServer) -> None:
    variant = VariantFactory(product=ProductFactory())
    page.open(f"{live_server.url}/admin/catalog/productvariant/{variant.pk}/change/")
    page.run("document.querySelector('[name=weight]').closest('details').open = true")
    Mouse(page).fill("weight", "0,25")
    page.follow("document.querySelector('[name=_save]').click()")
    assert ProductVariant.objects.get(pk=variant.pk).weight == 0.25
