"""The menu shows what a role does daily; the rest is behind More, which is open where one is."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from commerce.operations.roles.role_setup import set_up_roles
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def items(client: Client, address: str = "/admin/") -> list[Any]:
    return [item for group in client.get(address).context["sidebar_navigation"] for item in group["items"]]


def daily(client: Client) -> list[str]:
    groups = client.get("/admin/").context["sidebar_navigation"]
    return [item["title"] for group in groups if group["title"] for item in group["items"][: group["daily"]]]


CREDIT = ["Gift cards", "Store credit accounts"]


def clerk(role: str) -> Client:
    set_up_roles()
    client = visitor()
    client.user.groups.add(Group.objects.get(name=role))
    return client


@pytest.mark.parametrize(
    ("role", "titles"),
    [
        (
            "Catalogue",
            ["Products", "Collections", "Price lists", "Product categories", "Promotions", "Stock"],
        ),
        ("Warehouse", ["Products", "Stock", "Orders", "Buyers"]),
        (
            "Customer care",
            ["Products", "Orders", "Draft orders", "Buyers", "Customers", *CREDIT],
        ),
        ("Shop settings", ["Products", "Regions", "Tax regions"]),
        ("API keys", ["API keys", "Sales channels"]),
        ("Webhooks", ["Webhooks", "Webhook deliveries", "Events"]),
    ],
)
def test_what_a_role_does_daily(role: str, titles: list[str]) -> None:
    assert daily(clerk(role)) == titles


def test_a_superuser_sees_under_twenty_of_fifty() -> None:
    client = superuser()
    assert len(daily(client)) < 20
    assert len(items(client)) > 45


def test_the_part_of_the_present_page_is_open() -> None:
    client = superuser()
    for address, opened in (
        ("/admin/", []),
        ("/admin/catalog/producttag/", ["More"]),
        ("/admin/mails/mail/", ["Operations"]),
    ):
        page = client.get(address).content.decode()
        assert re.findall(r"<details open><summary[^>]*>.*?<span>([^<]*)</span>", page) == opened
        assert (page.count('aria-current="page"') == 1) == bool(page)
    tags = next(item for item in items(client, "/admin/catalog/producttag/add/") if item["title"] == "Tags")
    assert tags["active"]


def test_the_palette_finds_what_is_behind_more() -> None:
    found = superuser().get("/admin/search/", {"s": "webhook del"}).context["results"]
    assert [(one.title, one.description) for one in found] == [("Webhook deliveries", "Operations")]
