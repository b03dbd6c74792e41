"""A refused form lists its errors on top, each with a link to its field."""

import pytest

from tests.kit.admin.forms import row, sent
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_each_error_leads_to_its_field() -> None:
    client, address = superuser(), "/admin/catalog/product/add/?tables=1"
    values = row(sent(client, address, title=""), "images", url="/media/a.png", rank="-1")
    page = client.post(address, values).content.decode()
    assert '<a class="underline" href="#id_title">Title</a>: This field is required.' in page
    assert '<a class="underline" href="#id_images-0-rank">Picture 1, Rank</a>: Ensure this value is' in page
    assert page.count('id="id_title"') == page.count('id="id_images-0-rank"') == 1


def test_a_form_without_errors_has_no_list() -> None:
    assert "error-links" not in superuser().get("/admin/catalog/product/add/").content.decode()
