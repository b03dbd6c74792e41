"""Whatever is done with the rows of a list, its search, filters, order and page are kept."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.admin.utils import quote
from django.test import Client
from django.urls import reverse

from catalog.models import Product, ProductTag
from kit.admin.actions import verb_actions
from kit.jobs.models import Job
from tests.factories.orders import order
from tests.factories.products import ProductFactory
from tests.kit.admin.forms import save
from tests.kit.admin.pages import every_screen, row_pages
from tests.kit.admin.shop import build_shop
from tests.kit.admin.test_every_action import attempts_at
from tests.kit.admin.visits import superuser
from tests.savepoints import undone

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]

LIST = "/admin/catalog/producttag/"
KEPT = {"q": "t", "o": "-1", "p": "2", "deleted": "yes"}


@pytest.fixture
def client() -> Client:
    return superuser()


def query(address: str) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(urlsplit(address).query).items()}


def page_of(row: ProductTag, view: str = "change") -> str:
    kept = "&".join(f"{name}={value}" for name, value in KEPT.items())
    return reverse(f"admin:catalog_producttag_{view}", args=[quote(row.pk)], query={"_changelist_filters": kept})


def test_saving_and_deleting_a_row_lead_back_to_the_list_as_it_was(client: Client) -> None:
    tag = ProductTag.objects.create(value="Tea")
    saved = save(client, page_of(tag), {"value": "Teas", "metadata": ""})
    assert (urlsplit(saved.url).path, query(saved.url)) == (LIST, KEPT)
    deleted = client.post(page_of(tag, "delete"), {"post": "yes"})
    assert (urlsplit(deleted.url).path, query(deleted.url)) == (LIST, KEPT)


def test_a_button_leads_back_to_the_row_which_still_knows_the_list(client: Client) -> None:
    tag = ProductTag.objects.create(value="Tea", deleted_at="2026-11-27T00:00:00Z")
    page = client.get(page_of(tag)).content.decode()
    button = page_of(tag, "restore")
    assert f'href="{button.replace("&", "&amp;")}"' in page
    restored = client.post(button, {"post": "yes"})
    assert restored.url == page_of(tag)


def test_the_path_above_a_row_leads_to_the_list_as_it_was(client: Client) -> None:
    page = client.get(page_of(ProductTag.objects.create(value="Tea"))).content.decode()
    assert 'href="/admin/catalog/producttag/?q=t&amp;o=-1&amp;p=2&amp;deleted=yes"' in page


def test_a_refused_deletion_shows_the_row_which_still_knows_the_list(client: Client) -> None:
    placed = order()
    address = reverse(
        "admin:orders_order_action", args=[quote(placed.pk), "pack"], query={"_changelist_filters": "task=pack"}
    )
    page = client.get(address).content.decode()
    back = reverse("admin:orders_order_change", args=[quote(placed.pk)])
    assert f'href="{back}?_changelist_filters=task%3Dpack"' in page


def test_the_last_page_is_shown_once_an_action_has_emptied_the_one_it_was_taken_on(client: Client) -> None:
    ProductFactory.create_batch(55)
    address = "/admin/catalog/product/?o=2&p=3&status__exact=draft"
    Product.objects.update(status="draft")
    listed = client.get(address).context["cl"].result_list
    done = client.post(
        address,
        {"action": "delete_selected", "_selected_action": [row.pk for row in listed], "post": "yes", "index": "0"},
    )
    assert done.url == address
    page = client.get(address)
    assert (page.status_code, page.context["cl"].page_num, len(page.context["cl"].result_list)) == (200, 2, 25)


def test_a_job_leads_back_to_the_list_it_was_started_from(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb_actions, "MOST_IN_REQUEST", 1)
    tags = [ProductTag.objects.create(value=value) for value in ("Tea", "Toast")]
    address = f"{LIST}?q=t"
    chosen = {"action": "delete_selected", "_selected_action": [tag.pk for tag in tags], "post": "yes", "index": "0"}
    started = client.post(address, chosen)
    assert (
        f'<a class="text-primary-600 underline dark:text-primary-500" href="{address}">'
        in client.get(started.url).content.decode()
    )
    job = reverse(
        "admin:jobs_job_change", args=[quote(Job.objects.get().pk)], query={"back": "https://elsewhere.example/"}
    )
    assert "elsewhere" not in client.get(job).content.decode()


@pytest.mark.once
def test_no_button_or_action_of_any_screen_forgets_the_list(client: Client) -> None:
    """Those that lead to a page of the same screen."""
    build_shop(client.user)
    followed = set()
    for model, screen in every_screen():
        home = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        for attempt in attempts_at(model, screen) if model._default_manager.exists() else ():
            is_list = "action" in attempt.data or attempt.act == "catalog.product.edit_prices_and_stock"
            address = f"{attempt.address}?{'q=a' if is_list else '_changelist_filters=q%3Da'}"
            with undone():
                answer = client.post(address, attempt.data, headers={"Origin": "http://testserver"})
            url = getattr(answer, "url", "")
            if url.startswith(home) and urlsplit(url).path.count("/") >= home.count("/"):
                kept = {name: value for name, value in query(url).items() if name != "offer"}  # of a new promotion
                assert kept in ({"q": "a"}, {"_changelist_filters": "q=a"}), (address, url)
                followed.add(attempt.act)
        for address in row_pages("change", screens=[(model, screen)]):
            page = client.get(address, {"_changelist_filters": "q=a"})
            for button in ((page.context or {}).get("actions_detail") or ()) if page.status_code == 200 else ():
                assert button["path"].endswith("?_changelist_filters=q%3Da")
    assert len(followed) > 20
