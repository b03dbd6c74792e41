"""Staff who may not open a page, or ask for one that does not exist, see the menu and what helps."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from commerce.operations.roles.role_setup import set_up_roles
from kit.admin.pages.missing_permission import permitted_act
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

HTML = {"Accept": "text/html"}


def shown(client: Client, address: str, status: int = 403) -> str:
    answer = client.get(address, headers=HTML)
    assert answer.status_code == status
    page = answer.content.decode()
    assert 'id="nav-sidebar-apps"' in page
    assert "<main" in page
    return page


def test_a_forbidden_page_says_what_is_lacking_and_which_roles_have_it() -> None:
    set_up_roles()
    clerk = visitor()
    clerk.user.groups.add(Group.objects.get(name="Webhooks"))
    page = shown(clerk, "/admin/catalog/product/")
    assert "You may not view products" in page
    assert "These roles may: Catalogue, Customer care, Shop settings, Warehouse." in page
    assert "Webhook" in page  # in the menu


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/admin/catalog/product/add/", "You may not add products"),
        ("/admin/catalog/product/{}/delete/", "You may not delete products"),
        ("/admin/catalog/product/{}/history/", "You may not view products"),
        ("/admin/catalog/product/{}/duplicate/", "You may not add products"),
        ("/admin/orders/order/export/", "You may not export orders"),
    ],
)
def test_it_names_the_permission_of_the_page_or_button(address: str, words: str) -> None:
    product = ProductFactory()
    assert words in shown(visitor("orders.view_order"), address.format(product.pk))


def test_pages_whose_model_has_no_such_permission_name_the_one_that_was_asked_for() -> None:
    set_up_roles()
    clerk = visitor("catalog.view_product")
    page = shown(clerk, "/admin/orders/buyer/")
    assert "You may not view orders" in page
    assert "These roles may: Customer care, Order exports, Payments, Warehouse." in page
    assert "You may not change users" in shown(clerk, f"/admin/staff/user/{clerk.user.pk}/password/")


def test_a_refused_form_is_a_page_too_and_says_that_no_role_may() -> None:
    product = ProductFactory()
    clerk = visitor("catalog.view_product")
    answer = clerk.post(
        f"/admin/catalog/product/{product.pk}/change/", {}, headers={**HTML, "Origin": "http://testserver"}
    )
    assert answer.status_code == 403
    assert "You may not change products" in answer.content.decode()
    assert "No role may." in answer.content.decode()


def test_programs_get_json() -> None:
    answer = visitor().get("/admin/catalog/product/")
    assert (answer.status_code, answer.json()) == (403, {"type": "not_allowed", "message": "Forbidden"})


def test_an_address_without_a_page_has_the_menu_for_staff_and_a_landmark_for_everybody() -> None:
    assert "Nothing is at this address." in shown(visitor(), "/admin/nowhere/at/all/", 404)
    for address in ("/admin/nowhere/at/all/", "/nowhere"):
        answer = Client().get(address, headers=HTML)
        assert answer.status_code == 404
        assert "<main>" in answer.content.decode()
        assert "nav-sidebar" not in answer.content.decode()


def test_a_form_out_of_date_says_that_nothing_was_saved() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(visitor().user)
    answer = client.post("/admin/catalog/product/add/", {}, headers={**HTML, "Origin": "http://testserver"})
    assert answer.status_code == 403
    assert "Nothing was saved" in answer.content.decode()
    assert "nav-sidebar" in answer.content.decode()
    stranger = Client(enforce_csrf_checks=True).post("/admin/login/", {}, headers=HTML)
    assert stranger.status_code == 403
    assert "This form is out of date" in stranger.content.decode()


@pytest.mark.parametrize(
    ("permission", "words"),
    [
        ("catalog.view_inventorylevel", "view inventory levels"),
        ("orders.export_order", "export orders"),
        ("orders.cancel_order", "cancel order"),
        ("orders.do_wonders", "do wonders"),
    ],
)
def test_permissions_in_words(permission: str, words: str) -> None:
    assert permitted_act(permission) == words
