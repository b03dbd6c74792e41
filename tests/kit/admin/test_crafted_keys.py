"""Keys that cannot exist, and numbers that are none, in the URLs and actions of the admin site."""

import pytest
from django.urls import reverse

from kit.admin.inlines.part_formset import IMPOSSIBLE_COUNTS
from tests.factories.products import ImageFactory, ProductFactory
from tests.kit.admin.forms import errors, sent
from tests.kit.admin.pages import every_screen
from tests.kit.admin.visits import superuser

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["/admin/auth/group/", "/admin/otp_totp/totpdevice/", "/admin/catalog/producttag/"])
@pytest.mark.parametrize("key", ["\x00", "x", "", "9" * 40])
def test_an_action_on_a_key_that_no_row_can_have_changes_nothing(page: str, key: str) -> None:
    answer = superuser().post(page, {"action": "delete_selected", "_selected_action": key, "post": "yes"})
    assert answer.status_code in (200, 302), answer.status_code


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 40, "²", "٣", "-1", "\x00"])
@pytest.mark.parametrize("name", ["rows", "variants-page"])
def test_a_table_shows_its_rows_whatever_number_the_url_has(name: str, number: str) -> None:
    page = f"/admin/catalog/product/{ProductFactory().pk}/change/"
    assert superuser().get(page, {"tables": "1", name: number}).status_code == 200


@pytest.mark.parametrize("number", ["9" * 5000, "²", "٣"])
@pytest.mark.parametrize(
    "page", ["/admin/orders/order/", "/admin/payments/payment/", "/admin/payments/paymentcollection/"]
)
def test_a_search_for_a_number_that_no_order_has_finds_nothing(page: str, number: str) -> None:
    client = superuser()
    for text in (number, f"#{number}"):
        assert client.get(page, {"q": text}).status_code == 200


@pytest.mark.parametrize(("total", "initial"), [("-1", "1"), ("0", "1"), ("1", "-1"), ("-3", "-3")])
def test_a_table_whose_numbers_of_rows_are_impossible_is_refused_by_name(total: str, initial: str) -> None:
    """Django would ignore the rows, and say that the form was saved."""
    client, image = superuser(), ImageFactory()
    page = f"/admin/catalog/product/{image.product_id}/change/"
    counts = {"images-TOTAL_FORMS": total, "images-INITIAL_FORMS": initial}
    answer = client.post(page, sent(client, page, title="Coat", **{"images-0-DELETE": "on"}, **counts))
    assert errors(answer) == {"images": [IMPOSSIBLE_COUNTS.format(prefix="images")]}
    image.refresh_from_db()
    assert (image.product.title == "Coat", image.deleted_at) == (False, None)


@pytest.mark.parametrize("text", ["x", "x,y", "\x00"])
def test_the_form_of_a_new_row_opens_whatever_the_url_has_for_its_fields(text: str) -> None:
    client = superuser()
    for model, _ in every_screen():
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_add")
        given = {field.name: text for field in (*model._meta.concrete_fields, *model._meta.many_to_many)}
        assert client.get(address, given).status_code in (200, 403), address
