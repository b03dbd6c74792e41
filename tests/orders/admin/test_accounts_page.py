"""The page of accounts: sales, taxes, vouchers and payments by period."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localdate
from pytest_django import DjangoAssertNumQueries

from kit.admin.inlines.page_table import NOTHING
from kit.domain.actor import SYSTEM
from orders.admin.overview import accounts_page
from payments.movements import refunding
from tests.factories import payments as make
from tests.factories.giftcards import gift_card
from tests.kit.admin.visits import visitor
from tests.orders.reports.documents import an_order, credit_note, document

pytestmark = pytest.mark.django_db

PAGE = "/admin/orders/order/accounts/"
VIEW = "orders.view_invoice"


def tea() -> None:
    """Tea for 20.00 + 1.40 and a card of 50.00 this month; 2.62 + 0.18 of it taken back."""
    order, now = an_order(), f"{localdate()}T12:00:00"
    lines = ("S", "7", "20.00", "1.40"), ("O", "", "50.00", "0")
    document(order, now, *lines, taxes=(("VAT", "7", "1.40"),))
    credit_note(order, now, ("S", "7", "2.62", "0.18"), taxes=(("VAT", "7", "0.18"),))


def tables(client: Client, **chosen: str) -> dict[str, list[list[str]]]:
    """The cells of each table of the only currency, by its title, without those that are empty."""
    (found,) = client.get(PAGE, chosen).context["found"]
    return {table.title: [list(map(plain, row)) for row in table.cells] for table in found.tables}


def plain(text: str) -> str:
    """With a blank that wraps."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def lines(client: Client, **chosen: str) -> list[list[str]]:
    answer = client.get(PAGE, chosen)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode(), newline="")))


def test_the_overview_leads_to_it() -> None:
    client = visitor(VIEW)
    assert f'href="{PAGE}"' in client.get("/admin/").content.decode()
    assert client.get(PAGE).status_code == 200
    assert f'href="{PAGE}"' not in visitor("orders.view_order").get("/admin/").content.decode()


def test_it_needs_the_permission_to_view_invoices() -> None:
    client = visitor("orders.view_order", "payments.view_paymentcollection")
    assert [client.get(PAGE, chosen).status_code for chosen in ({}, {"as_csv": "sales"})] == [403, 403]


def test_each_currency_has_its_sums_and_tables() -> None:
    tea()
    month = f"{localdate():%Y-%m}"
    (found,) = visitor(VIEW).get(PAGE).context["found"]
    assert (found.currency, {name: plain(text) for name, text in found.sums}) == (
        "Euro",
        {
            "Sales without tax": "17,38 €",
            "Tax": "1,22 €",
            "Sales with tax": "18,60 €",
            "Gift cards sold": "50,00 €",
            "Paid by gift cards and credit": "0,00 €",
            "Captured": "0,00 €",
            "Refunded": "0,00 €",
        },
    )
    assert tables(visitor(VIEW)) == {
        "Sales by rate": [
            [month, "Germany", "Gift cards", NOTHING, NOTHING, NOTHING, "50,00 €"],
            [
                month,
                "Germany",
                "7 %",
                "17,38 €",
                "1,22 €",
                "18,60 €",
                NOTHING,
            ],
        ],
        "Taxes": [[month, "Germany", "VAT tax 7 %", "17,38 €", "1,22 €"]],
    }


def test_payments_and_vouchers_have_tables_of_their_own() -> None:
    gift_card(20)
    payment = make.captured_payment(50)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("7.50"))
    assert tables(visitor(VIEW), interval="year") == {
        "Gift cards and store credit": [
            [f"{localdate():%Y}", NOTHING, "$20.00", NOTHING, NOTHING, NOTHING, NOTHING, NOTHING]
        ],
        "Payments by provider": [[f"{localdate():%Y}", "System default", "$50.00", "$7.50"]],
    }


def test_files_have_all_rows_and_exact_amounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts_page, "MOST_SHOWN", 1)
    tea()
    gift_card(20)
    payment = make.captured_payment(50)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("7.50"))
    client, day = visitor(VIEW), localdate().isoformat()
    assert [found.more for found in client.get(PAGE).context["found"]] == [1, 0]
    chosen = {"interval": "day", "since": day, "until": day}
    assert lines(client, as_csv="sales", **chosen) == [
        "period currency_code country category rates subtotal tax_total total gift_card_total".split(),
        [day, "eur", "de", "O", "", "0.00", "0.00", "0.00", "50.00"],
        [day, "eur", "de", "S", "7", "17.38", "1.22", "18.60", "0.00"],
    ]
    assert lines(client, as_csv="taxes", **chosen) == [
        "period currency_code country category code description rate subtotal tax".split(),
        [day, "eur", "de", "S", "VAT", "VAT tax", "7", "17.38", "1.22"],
    ]
    assert lines(client, as_csv="vouchers", **chosen) == [
        ("period currency_code cards_sold cards_issued cards_canceled cards_redeemed spent refunded adjusted").split(),
        [day, "usd", "0.00", "20.00", "0.00", "0.00", "0.00", "0.00", "0.00"],
    ]
    assert lines(client, as_csv="payments", **chosen) == [
        "period currency_code provider captures captured refunds refunded".split(),
        [day, "usd", "pp_system_default", "1", "50.00", "1", "7.50"],
    ]
    answer = client.get(PAGE, {"as_csv": "payments", **chosen})
    assert answer["Content-Disposition"] == f'attachment; filename="accounts-payments-{day}-{day}.csv"'


def test_spreadsheets_take_months_and_rates_for_no_dates_and_numbers() -> None:
    tea()
    chosen = {"as_csv": "taxes", "separator": "semicolon", "decimal_mark": "comma", "for_spreadsheets": "on"}
    (row,) = visitor(VIEW).get(PAGE, chosen).content.decode().splitlines()[1:]
    month = f"{localdate():%Y-%m}"
    assert row == f'"=""{month}""";eur;de;S;VAT;VAT tax;"=""7""";17,38;1,22'


@pytest.mark.parametrize(
    ("chosen", "errors"),
    [
        ({"since": "soon"}, {"since"}),
        ({"since": "2027-03-02", "until": "2027-03-01"}, {"until"}),
        ({"since": "2025-01-01", "until": "2027-01-02", "interval": "day"}, {"until"}),
        ({"since": "1000-01-01", "until": "9999-12-31"}, {"since", "until"}),
        ({"interval": "week"}, {"interval"}),
        ({"as_csv": "taxes", "separator": "pipe"}, {"separator"}),
        ({"since": "1990-01-01", "until": "2999-12-31", "as_csv": "none"}, set()),
    ],
)
def test_what_it_cannot_take_is_named(chosen: dict[str, str], errors: set[str]) -> None:
    context: Any = visitor(VIEW).get(PAGE, chosen).context
    assert (context["found"], {*context["form"].errors}) == ([], errors)


def test_it_keeps_its_statements(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for _ in range(5):
        tea()
    client = visitor(VIEW)
    with django_assert_max_num_queries(13) as ran:
        client.get(PAGE)
    assert sum("orders_invoice" in each["sql"] for each in ran.captured_queries) == 2
