"""Forms for new rows, and lists without rows."""

import pytest

from tests.kit.admin.pages import every_screen
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_form_for_a_new_row_shows_no_id_and_no_dates_of_its_own() -> None:
    client = superuser()
    request = client.get("/admin/").wsgi_request
    seen = 0
    for _, screen in every_screen():
        if screen.has_add_permission(request):
            fields = [name for _, given in screen.get_fieldsets(request, None) for name in given["fields"]]
            assert not {"id", "created_at", "updated_at", "deleted_at"} & {
                name for name in fields if isinstance(name, str)
            }
            seen += 1
    assert seen > 20
    assert "Created at" not in client.get("/admin/shop/region/add/").content.decode()


def test_an_empty_list_offers_to_add_or_to_reset_filters() -> None:
    client = superuser()
    empty = client.get("/admin/catalog/product/").content.decode()
    assert "No products yet" in empty
    assert "Add product" in empty
    assert "Reset filters" not in empty
    searched = client.get("/admin/catalog/product/?q=tea").content.decode()
    assert "No products match" in searched
    assert "Reset filters" in searched
    assert "Reset filters" in client.get("/admin/catalog/product/?status__exact=draft").content.decode()
    orders = client.get("/admin/orders/order/").content.decode()
    assert "No orders yet" in orders
    assert "Reset filters" not in orders
