"""A form with unsaved changes asks before the page is left, in a real browser."""

from collections.abc import Callable

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import Product
from orders.admin.actions import action_url
from tests.browser.chromium import Page
from tests.browser.hands import Mouse
from tests.browser.test_pictures import press as press_picture
from tests.browser.test_variant_grid import a_shirt, add_option, key, open_page, paste, press, put, save
from tests.factories.carts import PromotionFactory
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ImageFactory, ProductFactory
from tests.factories.shop import RegionFactory
from tests.orders.returns.shop import paid

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASKS = """(() => {
    const leaving = new Event('beforeunload', {cancelable: true});
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
})()"""


def product_with_pictures() -> Product:
    shirt = a_shirt()
    for rank in range(2):
        ImageFactory(product=shirt, url=f"https://images.invalid/{rank}.png", rank=rank)
    return shirt


def test_leaving_with_a_typed_value_asks_and_saving_does_not(page: Page, live_server: LiveServer) -> None:
    page.resize(1280, 900)
    open_page(page, live_server, a_shirt())
    mouse = Mouse(page)
    mouse.fill("title", "Blouse")
    mouse.activate("#nav-sidebar-apps a", "Products")
    assert page.dialogs == ["beforeunload"]
    open_page(page, live_server, Product.objects.get())
    mouse.fill("title", "Blouse")
    mouse.activate("[name=_continue]")
    assert "was changed successfully" in page.text
    mouse.activate("#nav-sidebar-apps a", "Products")
    assert page.dialogs == ["beforeunload"]
    assert page.complaints == []


CHANGES: dict[str, Callable[[Page], None]] = {
    "typed cell": lambda page: put(page, 0, "SKU", "new"),
    "pasted cells": lambda page: paste(page, 0, "SKU", "a\nb\n"),
    "filled down": lambda page: key(page, 0, "Weight", "d", ctrlKey=True),
    "removed value": lambda page: press(page, "Remove L"),
    "new option": lambda page: add_option(page, "Colour", "Red"),
    "deleted variant": lambda page: press(page, "Delete M"),
    "picture moved": lambda page: press_picture(page, "Picture 1 of 2: move later"),
    "picture removed": lambda page: press_picture(page, "Picture 1 of 2: remove"),
    "thumbnail": lambda page: press_picture(page, "Picture 2 of 2: use as thumbnail"),
}


def test_each_change_of_the_grid_and_of_pictures_counts(page: Page, live_server: LiveServer) -> None:
    shirt = product_with_pictures()
    shirt.variants.filter(variant_rank=0).update(weight=3)
    for name, change in CHANGES.items():
        page.open("about:blank")
        open_page(page, live_server, shirt)
        assert not page.run(ASKS), name
        change(page)
        assert page.run(ASKS), name
    page.open("about:blank")


def test_a_refused_form_asks(page: Page, live_server: LiveServer) -> None:
    open_page(page, live_server, a_shirt())
    put(page, 0, "Weight", "heavy")
    save(page)
    assert page.run(ASKS)


def test_forms_of_orders_ask(page: Page, live_server: LiveServer) -> None:
    order, mouse = paid(), Mouse(page)
    page.resize(1280, 900)
    page.open(f"{live_server.url}{action_url(order.pk, 'note')}")
    assert not page.run(ASKS)
    mouse.fill("text", "Call first")
    mouse.activate("a", "Back to the order")
    assert page.dialogs == ["beforeunload"]
    page.open(f"{live_server.url}{action_url(order.pk, 'pack')}")
    page.fill(to_phone="555")
    page.follow("document.querySelector('[name=ticket]').form.requestSubmit()")
    assert "Enter a name or a company." in page.text
    assert page.run(ASKS)
    page.fill(to_phone="")
    page.follow("document.querySelector('[name=ticket]').form.requestSubmit()")
    assert "Packed 5 units" in page.text
    assert page.dialogs == ["beforeunload"]


def test_it_asks_after_a_submission_that_was_prevented_and_when_the_page_is_shown_again(
    page: Page, live_server: LiveServer
) -> None:
    page.open(f"{live_server.url}{action_url(paid().pk, 'note')}")
    page.fill(text="Call first")
    page.run("document.querySelector('form[data-unsaved]').dispatchEvent(new Event('submit', {cancelable: true}))")
    assert not page.run(ASKS)
    page.run("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    assert page.run(ASKS)
    page.run("""new Promise((done) => {
        const form = document.querySelector('form[data-unsaved]');
        form.addEventListener('submit', (event) => event.preventDefault());
        form.requestSubmit();
        setTimeout(done, 50);
    })""")
    assert page.run(ASKS)


def test_the_grid_of_several_products_asks(page: Page, live_server: LiveServer) -> None:
    a_shirt()
    page.open(f"{live_server.url}/admin/catalog/product/edit_prices_and_stock/")
    assert not page.run(ASKS)
    paste(page, 0, "Stock Berlin", "7\n8\n")
    assert page.run(ASKS)
    page.follow("document.querySelector('.variant-grid').closest('form').requestSubmit()")
    assert "2 variants were saved." in page.text


def test_untouched_forms_do_not_ask(page: Page, live_server: LiveServer) -> None:
    shirt, region, tea = product_with_pictures(), RegionFactory(), CategoryFactory()
    sale = PromotionFactory()
    for address in (
        f"catalog/product/{shirt.pk}/change/",
        f"catalog/product/{shirt.pk}/change/?tables=1",
        "catalog/product/add/",
        f"catalog/productvariant/{shirt.variants.get(sku='S').pk}/change/",
        f"catalog/productcategory/{tea.pk}/change/",
        f"shop/region/{region.pk}/change/",
        f"carts/promotion/{sale.pk}/change/",
        "catalog/pricelist/add/",
    ):
        page.open(f"{live_server.url}/admin/{address}")
        assert page.run("!!document.querySelector('form[novalidate]')"), address
        page.until("document.readyState === 'complete'")
        assert not page.run(ASKS), address


def test_a_choice_from_a_list_that_is_searched_counts(page: Page, live_server: LiveServer) -> None:
    ProductFactory()
    page.open(f"{live_server.url}/admin/catalog/product/{Product.objects.get().pk}/change/")
    assert not page.run(ASKS)
    page.run("""(() => {
        const field = document.querySelector('select[name=tags]');
        field.append(new Option('Tea', 'ptag_1', true, true));
    })()""")
    assert page.run(ASKS)
