"""Sales and taxes, vouchers and payments by period, with figures added up by hand."""

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.utils.timezone import make_aware
from pytest_django import DjangoAssertNumQueries

from giftcards.cards.cancellation import cancel
from giftcards.cards.redemption import redeem
from giftcards.ledger.adjustment import adjust
from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import refund_accounts, refund_as_store_credit
from giftcards.models import StoreCreditAccount
from kit.domain.actor import SYSTEM
from orders.management.invariants.reports import REPORT_INVARIANTS
from orders.models import Invoice, InvoiceLine, InvoiceTax, OrderLineItem
from orders.reports.accounting.documents import sales, taxes
from orders.reports.accounting.intervals import Interval
from orders.reports.accounting.payments import payments
from orders.reports.accounting.vouchers import vouchers
from orders.reports.sales.periods import Period
from payments.models import Capture
from payments.movements import refunding
from tests.factories import payments as make
from tests.factories.clock import at
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import bought_gift_card, gift_card, redeemer, spend
from tests.giftcards.books import unguarded
from tests.orders.reports.documents import an_order, credit_note, document

pytestmark = pytest.mark.django_db

YEARS = Period(date(2026, 1, 1), date(2027, 12, 31))


def moment(text: str) -> datetime:
    """In the shop's time zone."""
    return make_aware(datetime.fromisoformat(text))


def figures(rows: Any) -> list[tuple[str, ...]]:
    """The rows as text, without zeros that only some databases write at the end of an amount."""
    return [tuple(f"{cell.normalize():f}" if isinstance(cell, Decimal) else str(cell) for cell in row) for row in rows]


def mixed() -> None:
    """Tea for 21.40 (7 %), a mug and its post for 16.80 (19 %), a card of 50.00; in the next quarter 5.00 goodwill.

    Of the goodwill, 2.80 is taken off the tea and 2.20 off the rest.
    """
    order = an_order()
    document(
        order,
        "2026-11-30T23:59:59",
        ("S", "7", "20.00", "1.40"),
        ("S", "19", "10.00", "1.90"),
        ("S", "19", "4.12", "0.78"),
        ("O", "", "50.00", "0.00"),
        taxes=(("REDUCED", "7", "1.40"), ("FULL", "19", "2.68")),
    )
    credit_note(
        order,
        "2027-01-01T00:00:00",
        ("S", "7", "2.62", "0.18"),
        ("S", "19", "1.85", "0.35"),
        taxes=(("REDUCED", "7", "0.18"), ("FULL", "19", "0.35")),
    )


def test_each_rate_has_its_sales_and_a_credit_note_counts_in_its_own_period() -> None:
    mixed()
    assert figures(sales(YEARS, Interval.MONTH)) == [
        ("2026-11", "eur", "de", "O", "", "0", "0", "0", "50"),
        ("2026-11", "eur", "de", "S", "7", "20", "1.4", "21.4", "0"),
        ("2026-11", "eur", "de", "S", "19", "14.12", "2.68", "16.8", "0"),
        ("2027-01", "eur", "de", "S", "7", "-2.62", "-0.18", "-2.8", "0"),
        ("2027-01", "eur", "de", "S", "19", "-1.85", "-0.35", "-2.2", "0"),
    ]
    assert figures(taxes(YEARS, Interval.MONTH)) == [
        ("2026-11", "eur", "de", "S", "FULL", "FULL tax", "19", "14.12", "2.68"),
        ("2026-11", "eur", "de", "S", "REDUCED", "REDUCED tax", "7", "20", "1.4"),
        ("2027-01", "eur", "de", "S", "FULL", "FULL tax", "19", "-1.85", "-0.35"),
        ("2027-01", "eur", "de", "S", "REDUCED", "REDUCED tax", "7", "-2.62", "-0.18"),
    ]


@pytest.mark.parametrize(
    ("interval", "periods"),
    [
        (Interval.DAY, ["2026-11-30", "2027-01-01"]),
        (Interval.MONTH, ["2026-11", "2027-01"]),
        (Interval.QUARTER, ["2026-Q4", "2027-Q1"]),
        (Interval.YEAR, ["2026", "2027"]),
    ],
)
def test_days_are_summed_by_day_month_quarter_and_year(interval: Interval, periods: list[str]) -> None:
    mixed()
    assert sorted({row.period for row in sales(YEARS, interval)}) == periods
    assert sorted({row.period for row in taxes(YEARS, interval)}) == periods


def test_a_range_has_both_of_its_ends() -> None:
    mixed()
    days = {"first": date(2026, 11, 30), "after": date(2026, 12, 1), "new_year": date(2027, 1, 1)}
    one_day = {name: len(sales(Period(day, day), Interval.YEAR)) for name, day in days.items()}
    assert one_day == {"first": 3, "after": 0, "new_year": 2}


def test_a_year_with_a_later_credit_note_is_what_is_left() -> None:
    """Of 38.20 of goods, 33.20 is left: 18.60 at 7 % and 14.60 at 19 %."""
    order = an_order()
    document(order, "2026-02-01T12:00:00", ("S", "7", "20.00", "1.40"), ("S", "19", "14.12", "2.68"))
    credit_note(order, "2026-09-01T12:00:00", ("S", "7", "2.62", "0.18"), ("S", "19", "1.85", "0.35"))
    assert figures(sales(YEARS, Interval.YEAR)) == [
        ("2026", "eur", "de", "S", "7", "17.38", "1.22", "18.6", "0"),
        ("2026", "eur", "de", "S", "19", "12.27", "2.33", "14.6", "0"),
    ]


def test_exempt_and_zero_rated_goods_are_apart_and_currencies_never_added() -> None:
    """The yen: 2 cups for 2000 = 1818 + 182, and post for 500 = 455 + 45, at 10 % included."""
    document(an_order(shipped_to="ca"), "2026-03-01T12:00:00", ("E", "", "100.00", "0"))
    document(an_order(), "2026-03-01T12:00:00", ("Z", "", "7.00", "0"))
    document(
        an_order(shipped_to="jp"),
        "2026-03-01T12:00:00",
        ("S", "10", "1818", "182"),
        ("S", "10", "455", "45"),
        taxes=(("JCT", "10", "227"),),
        currency="jpy",
    )
    assert figures(sales(YEARS, Interval.YEAR)) == [
        ("2026", "eur", "ca", "E", "", "100", "0", "100", "0"),
        ("2026", "eur", "de", "Z", "", "7", "0", "7", "0"),
        ("2026", "jpy", "jp", "S", "10", "2273", "227", "2500", "0"),
    ]
    assert figures(taxes(YEARS, Interval.YEAR)) == [("2026", "jpy", "jp", "S", "JCT", "JCT tax", "10", "2273", "227")]


def test_a_combination_has_one_row_of_sales_and_one_of_each_tax() -> None:
    """Quebec: 5 % of 80.00 is 4.00, 9.975 % is 7.98. Rates are sorted as numbers, 9.975 before 10."""
    document(
        an_order(shipped_to="ca"),
        "2026-03-01T12:00:00",
        ("S", "5+10", "10.00", "1.50"),
        ("S", "5+9.975", "80.00", "11.98"),
        ("S", "5", "20.00", "1.00"),
        taxes=(("GST", "5", "5.50"), ("PST", "10", "1.00"), ("QST", "9.975", "7.98")),
        currency="cad",
    )
    assert figures(sales(YEARS, Interval.YEAR)) == [
        ("2026", "cad", "ca", "S", "5", "20", "1", "21", "0"),
        ("2026", "cad", "ca", "S", "5+9.975", "80", "11.98", "91.98", "0"),
        ("2026", "cad", "ca", "S", "5+10", "10", "1.5", "11.5", "0"),
    ]
    assert figures(taxes(YEARS, Interval.YEAR)) == [
        ("2026", "cad", "ca", "S", "GST", "GST tax", "5", "110", "5.5"),
        ("2026", "cad", "ca", "S", "PST", "PST tax", "10", "10", "1"),
        ("2026", "cad", "ca", "S", "QST", "QST tax", "9.975", "80", "7.98"),
    ]


@pytest.mark.parametrize(
    ("places", "country"),
    [
        ({"shipped_to": "de", "billed_in": "fr"}, "de"),
        ({"shipped_to": "de", "billed_in": "fr", "ships": False}, "fr"),
        ({"shipped_to": "de", "ships": False}, "de"),
        ({"shipped_to": None, "billed_in": "fr"}, "fr"),
        ({"shipped_to": None}, ""),
    ],
)
def test_the_country_is_where_the_order_was_taxed(places: dict[str, Any], country: str) -> None:
    document(an_order(**places), "2026-03-01T12:00:00", ("S", "19", "10.00", "1.90"))
    assert [row.country for row in sales(YEARS, Interval.YEAR)] == [country]
    assert [row.country for row in taxes(YEARS, Interval.YEAR)] == []


def test_vouchers_are_sold_and_given_and_credit_is_spent_refunded_and_adjusted() -> None:
    customer, line = CustomerFactory(), OrderLineItem.objects.get(order=an_order())
    by_staff = {"actor": SYSTEM, "customer_id": customer.pk, "currency_code": "usd", "reason": "Goodwill"}
    with at(moment("2026-11-30T23:59:59")):
        bought = bought_gift_card(line)
        gift_card("20.00")
    with at(moment("2026-12-01T00:00:00")):
        redeem(actor=redeemer(customer), id_or_code=bought.code)
        account = StoreCreditAccount.objects.get()
        spend(account.pk, "30.00", order_id="order_1")
        cancel(actor=SYSTEM, card_id=gift_card("8.00", currency_code="eur").pk)
    with at(moment("2027-01-15T12:00:00")):
        refund_accounts({account.pk: 45_000}, payers=[Reference("order", "order_1")], refund_id="ordref_1")
        refund_as_store_credit(22_500, customer_id=customer.pk, currency_code="usd", refund_id="ordref_2")
        adjust(amount=Decimal("6.00"), **by_staff)
        adjust(amount=Decimal("-1.50"), **by_staff)
    assert figures(vouchers(YEARS, Interval.MONTH)) == [
        ("2026-11", "usd", "50", "20", "0", "0", "0", "0", "0"),
        ("2026-12", "eur", "0", "8", "8", "0", "0", "0", "0"),
        ("2026-12", "usd", "0", "0", "0", "50", "30", "0", "0"),
        ("2027-01", "usd", "0", "0", "0", "0", "0", "6.75", "4.5"),
    ]


def test_payments_are_summed_by_provider_in_the_period_of_each_movement() -> None:
    with at(moment("2026-11-30T23:59:59")):
        payment = make.captured_payment(50)
    with at(moment("2026-12-01T00:00:00")):
        make.captured_payment("12.34", captured="2.34")
    with at(moment("2027-01-15T12:00:00")):
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("7.50"))
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("1.00"))
    system = "pp_system_default"
    assert figures(payments(YEARS, Interval.MONTH)) == [
        ("2026-11", "usd", system, "1", "50", "0", "0"),
        ("2026-12", "usd", system, "1", "2.34", "0", "0"),
        ("2027-01", "usd", system, "0", "0", "2", "8.5"),
    ]
    assert figures(payments(YEARS, Interval.YEAR)) == [
        ("2026", "usd", system, "2", "52.34", "0", "0"),
        ("2027", "usd", system, "0", "0", "2", "8.5"),
    ]


@pytest.mark.parametrize(("report", "statements"), [(sales, 1), (taxes, 1), (vouchers, 3), (payments, 2)])
def test_the_number_of_statements_does_not_depend_on_that_of_orders(
    report: Any, statements: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for day in range(1, 6):
        with at(moment(f"2026-11-0{day}T12:00:00")):
            document(an_order(), f"2026-11-0{day}T12:00:00", ("S", "7", "20.00", "1.40"), taxes=(("LOW", "7", "1.40"),))
            make.captured_payment(5)
            gift_card(5)
    with django_assert_num_queries(statements):
        assert len(report(YEARS, Interval.DAY)) == 5


def named() -> list[str]:
    """What `verify_ledger` says of reports, without zeros that only some databases write at the end of an amount."""
    return [
        re.sub(r"\.?0+(?= |,|$)", "", invariant.message.format(**vars(row)))
        for invariant in REPORT_INVARIANTS
        for row in invariant.violations()
    ]


def test_verify_ledger_holds_reports_to_documents_ledger_and_payments() -> None:
    mixed()
    redeem(actor=redeemer(CustomerFactory()), id_or_code=gift_card(55).code)
    spend(StoreCreditAccount.objects.get().pk, "32.00", order_id="order_1")
    cancel(actor=SYSTEM, card_id=gift_card(8).pk)
    payment = make.captured_payment(55)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("7.50"))
    assert named() == []
    note = Invoice.objects.get(kind="credit_note")
    shared = {"invoice": note, "position": 9, "subtotal": 1, "total": 1}
    InvoiceLine.objects.create(
        **shared, quantity=1, unit_price=1, is_tax_inclusive=False, discount_total=0, tax_total=0, category="O"
    )
    InvoiceTax.objects.create(**{**shared, "total": "-0.01"}, category="S", combination="19", code="FULL", rate=19)
    with unguarded():
        StoreCreditAccount.objects.update(credits=56)
    Capture.objects.update(amount=49)
    assert named() == [
        "Documents in eur state 83.2, of it 3.55 of tax, but reports add up to 82.2, of it 3.55, and taxes of 3.56",
        (
            "In usd there are gift cards of 63, 8 of them canceled, and store credit of 24, but reports add up to 63, "
            "8 and 23"
        ),
        "Payments in usd captured 55 and refunded 7.5, but reports add up to 49 and 7.5",
    ]
