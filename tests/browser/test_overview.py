"""The overview and the export of orders in a real browser, on desktop and phone."""

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from carts.lines.lines import NewLineItem
from catalog.models import InventoryItem
from kit.values.timestamps import now
from tests.browser.chromium import Page
from tests.factories import carts as make
from tests.factories.clock import at
from tests.factories.products import ProductFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.orders.placed import placed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = (1280, 390)
PROGRESS = "document.getElementById('progress').innerText"


def a_busy_shop() -> None:
    titles = ("Mug", "Large pot with a lid that does not drip", "Tea", "Strainer")
    goods = [
        make.sold_variant(10 + number, in_stock=7 + 9 * number, product=ProductFactory(title=title), sku=f"sku{number}")
        for number, title in enumerate(titles)
    ]
    for number, title in enumerate(titles):
        InventoryItem.objects.filter(variants=goods[number]).update(title=title)
    for ago in range(14):
        for piece in goods[: 1 + ago % 4]:
            placed(NewLineItem(piece.pk, 1 + ago * 5 % 7), created_at=now() - timedelta(days=ago, minutes=1))
    region = make.selling_region(currency_id="jpy")
    rice = make.sold_variant(1500, currency_code="jpy", product=ProductFactory(title="Rice bowl"))
    placed(cart=make.cart(rice, region_id=region.pk, email="guest@example.com"))
    with at(now() - timedelta(hours=3)):
        make.cart(goods[0], email="left@example.com")


@pytest.mark.parametrize("is_busy", [False, True])
def test_the_overview_is_no_wider_than_the_window(
    page: Page, live_server: LiveServer, tmp_path: Path, settings: Settings, is_busy: bool
) -> None:
    settings.LOW_STOCK = 15
    if is_busy:
        a_busy_shop()
    for width in SIZES:
        page.resize(width, 900)
        page.open(f"{live_server.url}/admin/")
        page.shoot(tmp_path / f"{width}.png", width=width, height=2400)
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), width
    for shown in ("Rice bowl", "Large pot", "Yen: ¥1,500", "than the week before") if is_busy else ("None.",):
        assert shown in page.text
    assert page.complaints == []


def test_orders_are_exported_by_a_button(
    page: Page, live_server: LiveServer, tmp_path: Path, settings: Settings
) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    placed()
    for width in SIZES:
        page.open(f"{live_server.url}/admin/orders/order/")
        page.shoot(tmp_path / f"{width}-list.png", width=width)
        page.follow("[...document.querySelectorAll('a')].find(link => link.innerText.includes('Export')).click()")
        page.shoot(tmp_path / f"{width}-form.png", width=width, height=1800)
        assert page.run("document.documentElement.scrollWidth <= window.innerWidth"), width
        page.follow("document.querySelector('[name=post]').form.requestSubmit()")
        assert "Waiting to be started." in page.run(PROGRESS)
        run_bulk_worker()
        page.open(page.run("location.href"))
        page.shoot(tmp_path / f"{width}-job.png", width=width)
        assert "1 of 1 rows." in page.run(PROGRESS)
        link = "[...document.querySelectorAll('#progress a')].find(link => link.innerText.includes('Download')).href"
        text = page.run(f"fetch({link}).then(answer => answer.text())")
        assert text.startswith("order_number,")
        assert text.count("\r\n") == 2
    assert page.complaints == []
