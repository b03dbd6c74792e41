"""One name of each thing: a screen's entry in the menu, the path to its pages, and their titles agree."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from tests.factories.fulfillment import option
from tests.kit.admin.pages import every_screen
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ADDING = {
    "API keys": "Add API key",
    "Campaigns": "Add campaign",
    "Collections": "Add collection",
    "Customer groups": "Add customer group",
    "Customers": "Add customer",
    "Draft orders": "Add draft order",
    "Fulfillment sets": "Add fulfillment set",
    "Gift cards": "Issue gift cards",
    "Inventory items": "Add inventory item",
    "Invitations": "Add invitation",
    "Price lists": "Add price list",
    "Product categories": "Add product category",
    "Products": "Add product",
    "Promotions": "Add promotion",
    "Refund reasons": "Add refund reason",
    "Regions": "Add region",
    "Return reasons": "Add return reason",
    "Roles": "Add role",
    "Sales channels": "Add sales channel",
    "Second factors": "Add second factor",
    "Service zones": "Add service zone",
    "Shipping options": "Add shipping option",
    "Shipping profiles": "Add shipping profile",
    "Staff": "Add member of staff",
    "Stock locations": "Add stock location",
    "Tags": "Add tag",
    "Tax regions": "Add tax region",
    "Types": "Add type",
    "Webhooks": "Add webhook endpoint",
}
"""The titles of the forms for new rows, by the menu's name."""


def menu(client: Client) -> dict[str, str]:
    """The names of the menu by URL."""
    groups = client.get("/admin/").context["sidebar_navigation"]
    assert len([group for group in groups if group.get("title")]) <= 8
    entries = [(str(item["link"]), str(item["title"])) for group in groups for item in group["items"]]
    assert len({title for _, title in entries}) == len(entries)
    return dict(entries)


def title(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    assert found is not None
    return " ".join(unescape(found[1]).split())


def path(page: str) -> list[str]:
    """The words of the path, which leads through links."""
    header = page[: page.index('id="content"')] if 'id="content"' in page else page
    return [unescape(text) for text in re.findall(r'class="[^"]*truncate align-middle">([^<]*)<', header)]


def test_lists_are_called_as_in_the_menu() -> None:
    client = superuser()
    build_shop(client.user)
    for address, name in menu(client).items():
        if address == "/admin/" or address == reverse("admin:shop_store_changelist"):  # leads to the only store
            continue
        page = client.get(address).content.decode()
        assert (name, path(page), title(page)) == (name, [name], f"{name} | Commerce")


def test_forms_for_new_rows_are_called_as_in_the_menu() -> None:
    client = superuser()
    build_shop(client.user)
    names, titles = menu(client), {}
    for address, name in names.items():
        answer = client.get(f"{address}add/")
        if answer.status_code == 200:
            page = answer.content.decode()
            assert path(page)[0] == name
            titles[name] = title(page).removesuffix(" | Commerce")
    assert titles == ADDING


def test_pages_of_rows_are_called_as_in_the_menu() -> None:
    client = superuser()
    build_shop(client.user)
    names = menu(client)
    seen = set()
    for model, _ in every_screen():
        name = names[reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")]
        for row in model._default_manager.order_by("-pk")[:1]:
            kind = f"admin:{model._meta.app_label}_{model._meta.model_name}_change"
            answer = client.get(reverse(kind, args=[quote(row.pk)]))
            if answer.status_code == 200:
                page = answer.content.decode()
                assert (path(page)[0], title(page)) == (name, f"{row} | {name} | Commerce")
                seen.add(model)
    assert len(seen) > 40


def test_rules_of_shipping_options_are_shown_in_words() -> None:
    client = superuser()
    row = option(rules=[("item_total", "gte", "20"), ("shipping_address.country_code", "in", ["us", "ca"])])
    page = client.get(f"/admin/fulfillment/shippingoption/{row.pk}/change/").content.decode()
    labels = dict(re.findall(r'<option value="(\w+)"[^>]*>([^<]*)</option>', page))
    assert (labels["gte"], labels["nin"]) == ("is at least", "is none of")
    assert [str(rule) for rule in row.rules.order_by("pk")] == [
        "Item total is at least 20",
        "Shipping address: country is one of us, ca",
    ]


class Words(HTMLParser):
    """What a page shows, without scripts, icons and the names of single permissions."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._ignored: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._ignored is None and (
            tag in ("script", "style", "select") or (tag == "span" and "material-symbols" in str(attrs))
        ):
            self._ignored = tag

    def handle_endtag(self, tag: str) -> None:
        self._ignored = None if tag == self._ignored else self._ignored

    def handle_data(self, data: str) -> None:
        self.text += "" if self._ignored else f"{data} "


def test_groups_of_permissions_are_called_roles() -> None:
    client = superuser()
    role = Group.objects.create(name="Warehouse")
    client.user.groups.add(role)
    pages = [f"staff/user/{client.user.pk}/change/", "staff/user/", "staff/invitation/add/", "auth/group/add/"]
    for address in (*pages, "auth/group/", f"auth/group/{role.pk}/change/"):
        page = client.get(f"/admin/{address}").content.decode()
        shown = Words()
        shown.feed(page)
        assert re.findall(r"(?<!customer )(?<!transaction )\bgroups?\b", shown.text.lower()) == [], address
        assert "role" in shown.text.lower(), address


def test_names_of_rows_are_not_capitalized() -> None:
    client = superuser()
    page = client.get(f"/admin/staff/user/{client.user.pk}/change/").content.decode()
    assert path(page) == ["Staff", client.user.email]
