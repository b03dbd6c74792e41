"""The rows of tables below forms are the theme's rows, which cost more: the theme's next version is compared here."""

import re
from pathlib import Path

import pytest
import unfold
from django.contrib.admin.utils import quote
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from catalog.models import ProductVariant
from kit.admin.inlines import part_rows
from tests.kit.admin.forms import sent
from tests.kit.admin.pages import every_screen
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]

THEMES = Path(unfold.__file__).parent / "templates/unfold/helpers/edit_inline/tabular_group.html"


def plain(row: str) -> str:
    """The markup without the spaces between and at the ends of tags and in the lists of classes."""
    row = re.sub(r"\s+", " ", row).replace("delete delete", "delete")  # added by each of the two
    row = re.sub(r'" (>)', r'"\1', re.sub(r'class=" ?([^"]*?) ?"', r'class="\1"', row))
    return re.sub(r" ?(<[^>]*?) ?(>) ?", r"\1\2", row).strip()


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that were rendered and compared."""
    theirs, found, ours = Template(THEMES.read_text()), list[str](), part_rows._body

    def body(context: Context) -> list[str]:
        row = "".join(ours(context))
        assert plain(row) == plain(theirs.render(context))
        found.append(row)
        return [row]

    monkeypatch.setattr(part_rows, "_body", body)
    return found


def every_page(client: Client) -> list[str]:
    build_shop(client.user)
    pages = []
    for model, _ in every_screen():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        rows = model._default_manager.order_by("pk")[:2]
        pages += [reverse(f"{name}_change", args=[quote(row.pk)]) for row in rows] + [reverse(f"{name}_add")]
    return pages


def test_rows_are_those_of_the_theme(compared: list[str]) -> None:
    client = superuser()
    for address in every_page(client):
        client.get(f"{address}?tables=1")
    assert len(compared) > 60


def test_rows_with_errors_are_those_of_the_theme(compared: list[str]) -> None:
    client = superuser()
    build_shop(client.user)
    product = ProductVariant.objects.filter(deleted_at=None).order_by("pk")[0].product_id
    address = f"/admin/catalog/product/{product}/change/?tables=1"
    given = sent(client, address)
    titles = {name: [""] for name in given if name.startswith("variants-") and name.endswith("-title")}
    assert client.post(address, given | titles).status_code == 200
    assert any("This field is required." in row for row in compared)
