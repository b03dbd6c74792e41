"""The section of forms about search engines and old links."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from catalog.models import ProductCategory, ProductCollection
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.kit.admin.forms import errors, sent, submit
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db

FACTORIES = [ProductFactory, ProductCollectionFactory, CategoryFactory]


def page(row: Any) -> str:
    return f"/admin/catalog/{row._meta.model_name}/{row.pk.replace('_', '_5F')}/change/"


def former(row: Any) -> list[str]:
    return sorted(row.former_handles.values_list("handle", flat=True))


@pytest.mark.parametrize("factory", FACTORIES)
class TestForms:
    def test_take_texts_and_empty_ones_are_none(self, factory: Any) -> None:
        row, client = factory(), superuser()
        submit(client, page(row), sent(client, page(row), seo_title="Teas", seo_description="Green.\nFresh."))
        row.refresh_from_db()
        assert (row.seo_title, row.seo_description) == ("Teas", "Green.\nFresh.")
        submit(client, page(row), sent(client, page(row), seo_title="", seo_description=" "))
        row.refresh_from_db()
        assert (row.seo_title, row.seo_description) == (None, None)

    def test_remember_a_changed_handle_and_can_forget_it(self, factory: Any) -> None:
        row, client = factory(handle="old"), superuser()
        submit(client, page(row), sent(client, page(row), handle="new"))
        shown = sent(client, page(row))
        assert (former(row), shown["former_handles"]) == (["old"], ["old"])
        submit(client, page(row), shown)
        assert former(row) == ["old"]
        submit(client, page(row), sent(client, page(row), former_handles="a\r\n old \r\n\r\na"))
        assert former(row) == ["a", "old"]
        submit(client, page(row), sent(client, page(row), former_handles=""))
        assert former(row) == []

    def test_refuse_a_handle_that_is_too_long(self, factory: Any) -> None:
        row, client = factory(), superuser()
        answer = client.post(page(row), sent(client, page(row), former_handles=f"old\r\n{'x' * 256}"))
        assert list(errors(answer)) == ["former_handles"]
        assert former(row) == []

    def test_are_cut_in_the_history(self, factory: Any) -> None:
        row, client = factory(), superuser()
        submit(client, page(row), sent(client, page(row), former_handles="\r\n".join(f"h{n:05}" for n in range(999))))
        message = LogEntry.objects.get().get_change_message()
        assert "Former handles (none → h00000, h00001, " in message
        assert len(message) < 600

    def test_show_former_handles_to_those_who_may_only_view(self, factory: Any) -> None:
        row = factory(handle="new")
        row.former_handles.create(handle="old-one")
        client = visitor(f"catalog.view_{row._meta.model_name}")
        assert ">old-one<" in client.get(page(row)).content.decode().replace("\n", "").replace("  ", "")

    def test_a_new_row_has_texts(self, factory: Any) -> None:
        model, client = factory._meta.model, superuser()
        address = f"/admin/catalog/{model._meta.model_name}/add/"
        name = "name" if model is ProductCategory else "title"
        submit(client, address, sent(client, address, **{name: "Tea", "seo_title": "Teas"}))
        assert model.objects.get().seo_title == "Teas"
        assert "former_handles" not in sent(client, address)


def test_another_form_does_not_overwrite_what_was_remembered_meanwhile() -> None:
    row, client = ProductCollectionFactory(handle="old"), superuser()
    opened = sent(client, page(row), former_handles="mine")
    submit(client, page(row), sent(client, page(row), handle="new"))
    answer = client.post(page(row), opened)
    assert "Current value: old." in errors(answer)["former_handles"][0]
    assert former(ProductCollection.objects.get()) == ["old"]
