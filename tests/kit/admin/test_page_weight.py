"""What the first visit of a page of the admin site downloads, compressed as the server sends it."""

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.staff import UserFactory

MOST_BYTES = 250_000
LINKED = re.compile(r'(?:src|href)="/static/([^"?]+)')
OF_STYLES = re.compile(r"""url\(["']?([^)"'?]+\.woff2)""")
BINARY = {".woff2", ".png", ".webp"}

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def content_of(name: str) -> bytes:
    found = finders.find(name)
    assert isinstance(found, str), f"{name} does not exist"
    return Path(found).read_bytes()


def size_of(name: str) -> int:
    content = content_of(name)
    return len(content if Path(name).suffix in BINARY else gzip.compress(content))


def files_of(page: str) -> set[str]:
    """The static files that the page names, and the fonts that its stylesheets name."""
    linked = set(LINKED.findall(page))
    styles = [name for name in linked if name.endswith(".css")]
    return linked | {urljoin(name, font) for name in styles for font in OF_STYLES.findall(content_of(name).decode())}


@pytest.mark.parametrize(
    "address",
    ["", "catalog/product/", "catalog/product/{}/change/", "orders/order/", "customers/customer/", "auth/group/add/"],
)
def test_a_first_visit_downloads_little(client: Client, address: str) -> None:
    client.force_login(UserFactory(is_superuser=True))
    product = VariantFactory(product=ProductFactory()).product
    page = client.get(f"/admin/{address.format(product.pk)}", headers={"accept-encoding": "identity"}).content
    sizes = {name: size_of(name) for name in files_of(page.decode())}
    assert len(sizes) > 10
    total = len(gzip.compress(page)) + sum(sizes.values())
    assert total < MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])
