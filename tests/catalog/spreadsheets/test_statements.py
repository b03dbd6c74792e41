"""The number of statements does not depend on that of products, but for inserts that SQLite splits."""

from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kit.domain.actor import SYSTEM
from kit.spreadsheets import applying
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.exports import export
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from tests.catalog.spreadsheets.importing import applied, lines, previewed, uploaded
from tests.factories.inventory import StockLocationFactory

pytestmark = pytest.mark.django_db
HEADER = (
    "Product Handle,Product Title,Product Tag 1,Option1 Name,Option1 Value,Variant SKU,Variant Price EUR,"
    "Variant Sale Price EUR,Variant Stock Berlin,Product Image 1 Url"
)


@pytest.fixture(autouse=True)
def _one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    StockLocationFactory.create(name="Berlin")
    monkeypatch.setattr(applying, "_LEAST", 50)


def _file(first: int, number: int, title: str = "Thing", price: int = 10) -> str:
    places = range(first, first + number)
    rows = [f"t-{one},{title},new,Size,S,T{one},{price},8,{price},https://example.com/{one}.png" for one in places]
    return lines(HEADER, *rows)


def _of_preview(text: str) -> int:
    one = uploaded(text, stock="set")
    with CaptureQueriesContext(connection) as queries:
        preview(one, actor=SYSTEM)
    return len(queries)


def _of_apply(one: Import) -> int:
    confirm(one)
    with CaptureQueriesContext(connection) as queries:
        apply(one, actor=SYSTEM)
    assert "problem" not in one.done
    return len(queries)


def test_previews_and_imports_of_new_products() -> None:
    applied(_file(0, 1))

    few, many = _file(1, 3), _file(10, 40)

    assert _of_preview(few) == _of_preview(many) < 20
    of_few = _of_apply(previewed(few))
    assert of_few <= _of_apply(previewed(many)) <= of_few + 2 < 100


def test_previews_and_imports_of_changes() -> None:
    applied(_file(0, 50))
    few, many = _file(0, 3, "New", 11), _file(3, 40, "New", 11)

    assert _of_preview(few) == _of_preview(many) < 25
    of_few = _of_apply(previewed(few, stock="set"))
    assert of_few <= _of_apply(previewed(many, stock="set")) <= of_few + 2 < 70


def test_exports() -> None:
    counts = []
    for number in (3, 40):
        applied(_file(100 * number, number))
        with CaptureQueriesContext(connection) as queries:
            export(BytesIO(), "csv", spreadsheet=SPREADSHEETS.get()["products"], actor=SYSTEM)
        counts.append(len(queries))

    assert counts[0] == counts[1] < 25
