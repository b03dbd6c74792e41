"""What documents say, and that no text of a customer is HTML."""

from datetime import date
from typing import Any

import pytest

from orders.invoices.printing.contents import contents, readable
from orders.invoices.printing.pages import printable
from orders.models import Invoice
from tests.orders.invoices.documents import (
    BUYER,
    credit_note,
    document,
    exempt,
    line,
    one_rate,
    quebec,
    two_rates,
    with_card,
)

pytestmark = [pytest.mark.once, pytest.mark.django_db]
HOSTILE = '<script>alert(1)</script><img src="http://127.0.0.1/x" onerror=alert(1)>" style="x'
ESCAPED = (
    "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&quot;http://127.0.0.1/x&quot; onerror=alert(1)&gt;"
    "&quot; style=&quot;x"
)


def said(row: Invoice) -> Any:
    (read,) = readable(Invoice.objects.filter(pk=row.pk))
    return contents(read)


def rows(document: Any, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(line[name] for name in names) for line in document["lines"]]


def test_an_invoice_states_who_when_what_and_how_much() -> None:
    row = one_rate(
        supplied_on=date(2026, 11, 28), due_on=date(2026, 12, 14), paid_by=[{"label": "card", "amount": "38.40"}]
    )
    found = said(row)
    assert [found[name] for name in ("kind", "number", "issued_on", "supplied_on", "due_on")] == [
        *("invoice", "R-2026-000001", "30 Nov 2026", "28 Nov 2026", "14 Dec 2026")
    ]
    assert found["seller"]["lines"] == ["Teekontor Nord GmbH", "Am Sandtorkai 12", "20457 Hamburg", "Germany"]
    assert found["buyer"]["lines"] == ["Ann Lee", "1 Elm Street", "10001 New York", "New York", "United States"]
    assert rows(found, "quantity", "title", "price", "discount", "rates", "amount") == [
        (3, "Mug", "10,00\u00a0€", "3,00\u00a0€", "20 %", "27,00\u00a0€"),
        (1, "Post", "5,00\u00a0€", "", "20 %", "5,00\u00a0€"),
    ]
    assert found["taxes"] == [
        {
            "category": "S",
            "rates": "20 %",
            "subtotal": "32,00\u00a0€",
            "total": "6,40\u00a0€",
            "taxes": [{"name": "VAT 20 %", "total": "6,40\u00a0€"}],
        }
    ]
    assert [found[name] for name in ("subtotal", "tax_total", "total", "due")] == [
        *("32,00\u00a0€", "6,40\u00a0€", "38,40\u00a0€", "0,00\u00a0€")
    ]
    assert found["payments"] == [{"label": "card", "amount": "-38,40\u00a0€"}]


def test_prices_that_include_tax_are_shown_with_it() -> None:
    found = said(two_rates())
    assert found["is_tax_inclusive"]
    assert rows(found, "price", "amount", "rates") == [
        ("10,70\u00a0€", "21,40\u00a0€", "7 %"),
        ("11,90\u00a0€", "11,90\u00a0€", "19 %"),
        ("4,90\u00a0€", "4,90\u00a0€", "19 %"),
    ]
    assert [(each["subtotal"], each["taxes"]) for each in found["taxes"]] == [
        ("20,00\u00a0€", [{"name": "MwSt. 7 %", "total": "1,40\u00a0€"}]),
        ("14,12\u00a0€", [{"name": "MwSt. 19 %", "total": "2,68\u00a0€"}]),
    ]


def test_a_price_that_is_stated_unlike_the_others_says_so() -> None:
    mixed = document(
        [line("Tea", 1, "10.70", "10", "0.70", "7", is_tax_inclusive=True), line("Mug", 1, "10", "10", "0.70", "7")], []
    )
    assert rows(said(mixed), "price", "amount", "is_stated_otherwise") == [
        ("10,70\u00a0€", "10,70\u00a0€", False),
        ("10,00\u00a0€", "10,70\u00a0€", True),
    ]
    assert '10,00\u00a0€<div class="note">without tax</div>' in printable(readable(Invoice.objects.all()))


def test_each_tax_of_a_combination_has_a_row() -> None:
    assert [(each["rates"], each["subtotal"], each["taxes"]) for each in said(quebec())["taxes"]] == [
        (
            "5 % + 9.975 %",
            "CA$100.00",
            [{"name": "GST 5 %", "total": "CA$5.00"}, {"name": "QST 9.975 %", "total": "CA$9.98"}],
        ),
        ("5 %", "CA$40.00", [{"name": "GST 5 %", "total": "CA$2.00"}]),
    ]


def test_an_exempt_buyer_is_told_why() -> None:
    row = exempt()
    assert said(row)["taxes"] == [
        {"category": "E", "rates": "", "subtotal": "100,00\u00a0€", "total": "0,00\u00a0€", "taxes": []}
    ]
    page = printable(readable(Invoice.objects.all()))
    assert "<td>Exempt</td>" in page
    assert "Tax-exempt: no tax is charged." in page
    assert "Tax number <bdi>NY-EX-1</bdi>" in page


def test_bought_gift_cards_are_a_block_of_their_own_and_redeemed_ones_are_payments() -> None:
    found = said(with_card())
    assert rows(found, "title", "amount") == [("Mug", "20,00\u00a0€"), ("Tea", "5,00\u00a0€")]
    assert [(card["title"], card["amount"]) for card in found["gift_cards"]] == [("Gift card", "54,00\u00a0€")]
    assert [each["category"] for each in found["taxes"]] == ["S", "Z"]
    assert [found[name] for name in ("subtotal", "tax_total", "gift_card_total", "total", "due")] == [
        *("25,00\u00a0€", "4,00\u00a0€", "54,00\u00a0€", "83,00\u00a0€", "0,00\u00a0€")
    ]
    page = printable(readable(Invoice.objects.all()))
    assert page.count("Gift cards, outside the scope of tax") == 2
    assert '<td>gift card</td><td class="amount">-60,00\u00a0€</td>' in page
    assert "Zero-rated, 0 %" in page


def test_a_credit_note_names_its_invoice_and_asks_for_no_money() -> None:
    credit_note(one_rate())
    page = printable(readable(Invoice.objects.filter(kind="credit_note")))
    assert '<th scope="row">Credit note to invoice</th><td>R-2026-000001</td>' in page
    assert "<h1>Credit note G-2026-000001</h1>" in page
    assert '<td>Credited</td><td class="amount">10,80\u00a0€</td>' in page
    assert "Amount due" not in page


def test_what_customers_and_staff_typed_is_text() -> None:
    texts = dict.fromkeys(("legal_name", "invoice_footer", "bank_account", "email", "tax_number"), HOSTILE)
    buyer = {**BUYER, **dict.fromkeys(("company", "first_name", "tax_number", "exemption"), HOSTILE)}
    mug = line("Mug", 1, "10", "10", "2", "20")
    named = dict.fromkeys(("title", "variant_title", "sku"), HOSTILE)
    paid = [{"label": HOSTILE, "amount": "1.00"}]
    document([{**mug, **named}], [], seller=texts, buyer=buyer, paid_by=paid, shown_number="<b>1</b>")
    page = printable(readable(Invoice.objects.all()))
    assert page.count(ESCAPED) == 14
    assert "<script>" not in page
    assert "<b>" not in page
    assert page.count("<img") == 0


def test_reading_many_documents_takes_three_statements(django_assert_num_queries: Any) -> None:
    for number in range(1, 6):
        one_rate(number=number)
    with django_assert_num_queries(3):
        page = printable(readable(Invoice.objects.order_by("number")))
    assert page.count("<article>") == 5
    assert page.count("Page ") == 0  # pages of several documents would be counted through
    assert "<title>R-2026-000001, R-2026-000002," in page
