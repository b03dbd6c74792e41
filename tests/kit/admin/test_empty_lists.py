"""An empty list says what would be in it and how it gets there, or that a search or filter leaves everything out."""

import re
from html import unescape

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import Model

from kit.admin.base_admin import BaseAdmin
from orders.models import Order
from tests.kit.admin.pages import every_screen
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_every_screen_has_one_sentence_or_two_of_its_own() -> None:
    notes = [screen.nothing_yet for _, screen in every_screen()]
    assert len(set(notes)) == len(notes)
    for note in notes:
        assert re.fullmatch(r"[A-Z].{20,}\.", note), note
        assert note.count(". ") <= 1, note


def test_rows_come_from_screens_that_exist() -> None:
    for _, screen in every_screen():
        if screen.made_on:
            assert isinstance(admin.site.get_model_admin(apps.get_model(screen.made_on)), BaseAdmin)


@pytest.mark.parametrize("model", [model for model, _ in every_screen()], ids=lambda model: model._meta.label)
def test_an_empty_list_shows_it(model: type[Model]) -> None:
    screen = admin.site.get_model_admin(model)
    answer = superuser().get(f"/admin/{model._meta.app_label}/{model._meta.model_name}/")
    page = unescape(answer.content.decode())
    is_empty = "cl" in (answer.context or {}) and not answer.context["cl"].result_list
    assert (screen.nothing_yet in page) == is_empty
    assert is_empty or model._default_manager.exists()


def test_it_leads_to_where_the_rows_come_from_for_users_who_may_go_there() -> None:
    address = "/admin/catalog/inventorylevel/"
    link = '<a href="/admin/catalog/product/" class="font-medium'
    assert link in superuser().get(address).content.decode()
    assert link not in visitor("catalog.view_inventorylevel").get(address).content.decode()


def test_a_search_or_filter_that_leaves_everything_out_says_so() -> None:
    client = superuser()
    for query, words in (
        ("q=tea", "The search for “tea” left everything out."),
        ("status__exact=draft", "The filters left everything out."),
        ("q=%3Cb%3E&status__exact=draft", "The search for “&lt;b&gt;” with these filters left everything out."),
    ):
        page = client.get(f"/admin/catalog/product/?{query}").content.decode()
        assert words in page
        assert admin.site.get_model_admin(Order).nothing_yet not in page
        assert "Products are what you sell" not in page
