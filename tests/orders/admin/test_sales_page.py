"""The page of sales by channel and product."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localdate
from pytest_django import DjangoAssertNumQueries

from catalog.models import ProductVariant
from orders.admin.overview import sales_page
from tests.factories import carts as make
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import visitor
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

PAGE = "/admin/orders/order/sales/"
VIEW = "orders.view_order"


def sold(price: Any = 10, title: str = "Mug", **columns: Any) -> ProductVariant:
    return make.sold_variant(price, product=ProductFactory(title=title), **columns)


def found(client: Client, **chosen: str) -> list[tuple[Any, ...]]:
    """What the page shows of each currency: its sums, and the cells of both tables."""
    return [
        (each.currency, each.amount, each.refunded, each.orders, each.channels.cells, each.products.cells)
        for each in client.get(PAGE, chosen).context["found"]
    ]


def lines(client: Client, **chosen: str) -> list[list[str]]:
    answer = client.get(PAGE, chosen)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode(), newline="")))


def test_the_overview_leads_to_it() -> None:
    client = visitor(VIEW)
    assert f'href="{PAGE}"' in client.get("/admin/").content.decode()
    assert client.get(PAGE).status_code == 200


def test_the_last_thirty_days_are_shown_first() -> None:
    placed(sold(), sold(5, "Pot"))
    assert found(visitor(VIEW)) == [
        (
            "US Dollar", "$15.00", "$0.00", "1",
            [("Default Sales Channel", "1", "$15.00", "$0.00")],
            [("Mug", "1", "$10.00"), ("Pot", "1", "$5.00")],
        )
    ]  # fmt: skip
    form = visitor(VIEW).get(PAGE).context["form"]
    assert form["since"].value() == (localdate() - timedelta(days=29)).isoformat()
    assert form["until"].value() == localdate().isoformat()


def test_other_days_can_be_chosen() -> None:
    placed(sold())
    client, yesterday = visitor(VIEW), (localdate() - timedelta(days=1)).isoformat()
    assert found(client, since=yesterday, until=yesterday) == []
    assert "Nothing was sold on these days" in client.get(PAGE, {"until": yesterday}).content.decode()
    assert len(found(client, since=localdate().isoformat())) == 1


@pytest.mark.parametrize(
    ("chosen", "errors"),
    [
        ({"since": "soon"}, {"since": ["Enter a date, such as 2027-05-12."]}),
        ({"since": "2027-03-02", "until": "2027-03-01"}, {"until": ["This day is before the first day."]}),
        ({"since": "2026-01-01", "until": "2027-01-02"}, {"until": ["Choose at most 366 days."]}),
        ({"separator": "pipe", "as_csv": "products"}, {"separator": None}),
        ({"until": "2999-12-31", "since": "2999-12-31", "as_csv": "none"}, {}),
    ],
)
def test_what_it_cannot_take_is_named(chosen: dict[str, str], errors: dict[str, Any]) -> None:
    context = visitor(VIEW).get(PAGE, chosen).context
    assert context["found"] == []
    shown = context["form"].errors
    assert shown.keys() == errors.keys()
    assert all(text is None or shown[name] == text for name, text in errors.items())


def test_files_have_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sales_page, "MOST_SHOWN", 1)
    mug, formula = sold("12.50"), sold(5, '=HYPERLINK("x")')
    placed(mug, formula)
    client = visitor(VIEW)
    (shown,) = client.get(PAGE).context["found"]
    assert (len(shown.products.cells), shown.more) == (1, 1)
    assert lines(client, as_csv="products") == [
        ["currency_code", "product_id", "product", "units", "sales"],
        ["usd", mug.product_id, "Mug", "1", "12.50"],
        ["usd", formula.product_id, '\'=HYPERLINK("x")', "1", "5.00"],
    ]
    assert lines(client, as_csv="channels") == [
        ["currency_code", "sales_channel", "orders", "sales", "refunded"],
        ["usd", "Default Sales Channel", "1", "17.50", "0.00"],
    ]


def test_files_are_written_for_spreadsheets_and_the_choice_is_kept() -> None:
    mug = sold("12.50", "0815")
    placed(mug)
    client = visitor(VIEW)
    chosen = {"as_csv": "products", "separator": "semicolon", "decimal_mark": "comma", "for_spreadsheets": "on"}
    answer = client.get(PAGE, chosen)
    assert answer.content.decode() == (
        "\N{ZERO WIDTH NO-BREAK SPACE}currency_code;product_id;product;units;sales\r\n"
        f'usd;{mug.product_id};"=""0815""";1;12,50\r\n'
    )
    days = f"{localdate() - timedelta(days=29)}-{localdate()}"
    assert answer["Content-Disposition"] == f'attachment; filename="sales-products-{days}.csv"'
    assert "no-store" in answer["Cache-Control"]
    offered = client.get(PAGE).context["form"]
    assert [offered[name].value() for name in ("separator", "decimal_mark", "for_spreadsheets")] == [
        "semicolon", "comma", True,
    ]  # fmt: skip


def test_products_are_links_for_those_who_may_open_them() -> None:
    placed(sold())
    ((*_, cells),) = found(visitor(VIEW, "catalog.view_product"))
    assert "/admin/catalog/product/" in cells[0][0]


def test_it_needs_the_permission_to_view_orders() -> None:
    client = visitor("catalog.view_product")
    assert [client.get(PAGE, chosen).status_code for chosen in ({}, {"as_csv": "products"})] == [403, 403]


def test_it_keeps_its_statements(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    placed(*(sold(title=f"Mug {number}") for number in range(5)))
    client = visitor(VIEW)
    with django_assert_max_num_queries(9) as ran:
        client.get(PAGE)
    assert sum("orders_order" in each["sql"] for each in ran.captured_queries) == 3
