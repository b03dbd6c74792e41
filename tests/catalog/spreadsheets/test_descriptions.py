"""HTML of descriptions is sanitised, unless it is what the shop has already."""

from collections.abc import Callable
from typing import Any

import nh3
import pytest

from catalog.models import Product
from catalog.spreadsheets.products import ProductImporter
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db


def _imported(description: str) -> str | None:
    quoted = description.replace('"', '""')
    applied(lines("Product Handle,Product Title,Product Description", f'cup,Cup,"{quoted}"'))
    return Product.objects.get(handle="cup").description


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("Salt & Pepper", "Salt & Pepper"),
        ("3 < 4 <3", "3 < 4 <3"),
        ("<p>Soft &amp; warm</p>\n<ul><li>a</li></ul>", "<p>Soft &amp; warm</p>\n<ul><li>a</li></ul>"),
        ('<p onclick="x()">Soft</p><script>x()</script>', "<p>Soft</p>"),
        ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ("a <img src=x onerror=x()", "a "),
    ],
)
def test_what_runs_scripts_is_left_out(given: str, stored: str) -> None:
    assert _imported(given) == stored
    assert _imported(given) == stored


def test_the_text_that_the_shop_has_is_left_alone() -> None:
    ProductFactory.create(handle="cup", title="Cup", description="<custom-part onclick='x()'>a</custom-part>")

    assert applied(exported()).done == {"unchanged": 1}
    assert Product.objects.get().description == "<custom-part onclick='x()'>a</custom-part>"


def test_it_is_sanitised_before_products_are_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    _imported("Soft")
    one = previewed(lines("Product Handle,Product Description", "cup,<p>Softer</p>"))
    confirm(one)
    steps = list[str]()
    clean, lock = nh3.clean, ProductImporter.lock

    def noting(step: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            steps.append(step)
            return call(*args)

        return noted

    monkeypatch.setattr(nh3, "clean", noting("sanitised", clean))
    monkeypatch.setattr(ProductImporter, "lock", noting("locked", lock))

    apply(one, actor=SYSTEM)

    assert steps == ["sanitised", "locked"]
    assert Product.objects.get().description == "<p>Softer</p>"
