"""The invariants of reports for accountants: over all time, they sum to documents, ledger and payments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Case, Expression, ExpressionWrapper, F, Manager, Model, Q, QuerySet, Sum, Value, When

from giftcards.models import GiftCard, StoreCreditAccount
from giftcards.states import CardStatus
from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import Invoice
from orders.reports.accounting.documents import sales, taxes
from orders.reports.accounting.intervals import Interval
from orders.reports.accounting.payments import payments
from orders.reports.accounting.vouchers import vouchers
from orders.reports.sales.periods import ALL_TIME
from orders.states import InvoiceKind
from payments.models import Payment
from shop.models import Currency

_Row = tuple[str, Mapping[str, Decimal]]
"""A currency, and amounts by name."""


def _documents() -> QuerySet[Model]:
    sold = sales(ALL_TIME, Interval.YEAR)
    reported = [
        *((row.currency, {"total": row.total + row.gift_card_total, "tax": row.tax_total}) for row in sold),
        *((row.currency, {"taxes": row.total}) for row in taxes(ALL_TIME, Interval.YEAR)),
    ]
    tax = _balance("tax_total")
    return _differing(reported, _stored(Invoice.objects, total=_balance("total"), tax=tax, taxes=tax))


def _balance(column: str) -> Expression:
    """The sum over invoices less that over credit notes."""
    invoices, notes = (Sum(column, filter=Q(kind=each), default=0) for each in InvoiceKind)
    return ExpressionWrapper(invoices - notes, output_field=MoneyField())


def _vouchers() -> QuerySet[Model]:
    reported = [
        (
            row.currency,
            {
                "cards": row.cards_sold + row.cards_issued,
                "canceled": row.cards_canceled,
                "credit": row.cards_redeemed + row.refunded + row.adjusted - row.spent,
            },
        )
        for row in vouchers(ALL_TIME, Interval.YEAR)
    ]
    canceled = Sum("value", filter=Q(status=CardStatus.CANCELED), default=0)
    cards = _stored(GiftCard.objects, cards=Sum("value"), canceled=canceled)
    balance = Sum(F("credits") - F("debits"), output_field=MoneyField())
    return _differing(reported, [*cards, *_stored(StoreCreditAccount.objects, credit=balance)])


def _payments() -> QuerySet[Model]:
    found = payments(ALL_TIME, Interval.YEAR)
    reported = [(row.currency, {"captured": row.captured, "refunded": row.refunded}) for row in found]
    sums = {name: Sum(f"{name}_amount") for name in ("captured", "refunded")}
    return _differing(reported, _stored(Payment.objects, **sums))


def _stored(rows: Manager[Any], **sums: Expression) -> list[_Row]:
    """The sums over the rows in each currency. One statement."""
    found = rows.order_by().values_list("currency").annotate(**sums)
    return [(currency, dict(zip(sums, amounts, strict=True))) for currency, *amounts in found]


def _differing(reported: Iterable[_Row], stored: Iterable[_Row]) -> QuerySet[Model]:
    """Currencies in which what is reported of any name differs from what is stored, with both."""
    sums: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for kind, rows in ("reported", reported), ("stored", stored):
        for currency, amounts in rows:
            for name, amount in amounts.items():
                sums[f"{kind}_{name}"][currency] += amount
    names = {name.partition("_")[2] for name in sums}
    differing = {
        currency
        for name in names
        for currency in {*sums[f"reported_{name}"], *sums[f"stored_{name}"]}
        if sums[f"reported_{name}"][currency] != sums[f"stored_{name}"][currency]
    }
    amounts_of = {name: _by_currency(amounts) for name, amounts in sums.items()}
    rows_: QuerySet[Model] = Currency.objects.filter(pk__in=differing).annotate(**amounts_of)
    return rows_


def _by_currency(amounts: Mapping[str, Decimal]) -> Expression:
    money = MoneyField()
    cases = (When(pk=currency, then=Value(amount, output_field=money)) for currency, amount in amounts.items())
    return Case(*cases, default=Value(0, output_field=money), output_field=money)


REPORT_INVARIANTS = (
    Invariant(
        _documents,
        "Documents in {code} state {stored_total}, of it {stored_tax} of tax, but reports add up to {reported_total}, "
        "of it {reported_tax}, and taxes of {reported_taxes}",
    ),
    Invariant(
        _vouchers,
        "In {code} there are gift cards of {stored_cards}, {stored_canceled} of them canceled, and store credit of "
        "{stored_credit}, but reports add up to {reported_cards}, {reported_canceled} and {reported_credit}",
    ),
    Invariant(
        _payments,
        "Payments in {code} captured {stored_captured} and refunded {stored_refunded}, but reports add up to "
        "{reported_captured} and {reported_refunded}",
    ),
)
