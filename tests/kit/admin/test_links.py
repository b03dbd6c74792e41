"""No page of the admin site links to one that its reader may not open."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from commerce.operations.roles.role_setup import set_up_roles
from commerce.operations.roles.roles import ROLES
from tests.kit.admin.pages import every_screen
from tests.kit.admin.shop import build_shop
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]
MOST_ALIKE = 1
"""How many pages are visited whose URLs differ only in ids and queries."""
NOT_FOLLOWED = ("/admin/logout/", "/admin/jsi18n/")


def links(page: str, at: str) -> Iterator[str]:
    """URLs of the site that the page links to."""
    for found in re.findall(r'<a\b[^>]*?\shref="([^"]+)"', page):
        address = urlsplit(urljoin(at, unescape(found)))
        if not address.netloc and address.path.startswith("/admin/") and address.path not in NOT_FOLLOWED:
            yield f"{address.path}{f'?{address.query}' if address.query else ''}"


def kind(address: str) -> str:
    """What pages of one kind have in common: the path without ids."""
    return re.sub(r"/[^/]*(_5F|\d)[^/]*", "/*", address.partition("?")[0])


def crawl(client: Client) -> dict[str, int]:
    """The statuses of all pages that can be reached from the first by links."""
    waiting, seen, alike = ["/admin/"], {}, {}
    while waiting:
        address = waiting.pop()
        if address in seen or alike.get(kind(address), 0) >= MOST_ALIKE:
            continue
        alike[kind(address)] = alike.get(kind(address), 0) + 1
        answer = client.get(address, follow=True)
        seen[address] = answer.status_code if answer.request["PATH_INFO"] != "/admin/" or address == "/admin/" else 302
        if answer["Content-Type"].startswith("text/html"):
            waiting += links(answer.content.decode(), address)
    return seen


def test_each_role_can_open_what_it_is_shown() -> None:
    client = superuser()
    build_shop(client.user)
    set_up_roles()
    for role in ROLES:
        reader = visitor()
        reader.user.groups.add(Group.objects.get(name=role))
        pages = crawl(reader)
        assert (role, {address: status for address, status in pages.items() if status != 200}) == (role, {})
        assert len(pages) > 3, role
    assert len(crawl(client)) > 120


def test_staff_who_may_view_one_kind_of_row_can_open_every_link_they_see() -> None:
    build_shop(superuser().user)
    for model, _ in every_screen():
        rows = model._meta.concrete_model._meta
        if "view" not in rows.default_permissions:
            continue  # of imports, everybody sees their own
        reader = visitor(f"{rows.app_label}.view_{rows.model_name}")
        refused = {address: status for address, status in crawl(reader).items() if status != 200}
        assert (model._meta.label, refused) == (model._meta.label, {})
