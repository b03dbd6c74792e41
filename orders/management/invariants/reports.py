"""The invariants of reports for accountants: over all time, they sum to documents, ledger and payments."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    Expression,
    ExpressionWrapper,
    F,
    Manager,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

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

_MONEY = MoneyField()
_Sums = Mapping[str, Decimal]
_INVOICES, _NOTES = (Q(kind=kind) for kind in InvoiceKind)


def _documents() -> QuerySet[Model]:
    sold = sales(ALL_TIME, Interval.YEAR)
    reported = [
        *((row.currency, {"total": row.total + row.gift_card_total, "tax": row.tax_total}) for row in sold),
        *((row.currency, {"taxes": row.total}) for row in taxes(ALL_TIME, Interval.YEAR)),
    ]
    tax = _of(Invoice.objects, _balance("tax_total"))
    return _differing(reported, total=_of(Invoice.objects, _balance("total")), tax=tax, taxes=tax)


def _vouchers() -> QuerySet[Model]:
    reported = [
        (
            row.currency,
            {
                "cards": row.cards_sold + row.cards_given,
                "canceled": row.cards_canceled,
                "credit": row.cards_redeemed + row.refunded + row.adjusted - row.spent,
            },
        )
        for row in vouchers(ALL_TIME, Interval.YEAR)
    ]
    return _differing(
        reported,
        cards=_of(GiftCard.objects, Sum("value")),
        canceled=_of(GiftCard.objects, Sum("value", filter=Q(status=CardStatus.CANCELED))),
        credit=_of(StoreCreditAccount.objects, Sum(F("credits") - F("debits"), output_field=_MONEY)),
    )


def _payments() -> QuerySet[Model]:
    found = payments(ALL_TIME, Interval.YEAR)
    return _differing(
        [(row.currency, {"captured": row.captured, "refunded": row.refunded}) for row in found],
        captured=_of(Payment.objects, Sum("captured_amount")),
        refunded=_of(Payment.objects, Sum("refunded_amount")),
    )


def _differing(reported: Iterable[tuple[str, _Sums]], **stored: Expression) -> QuerySet[Model]:
    """Currencies in which what is reported of any name differs from what is stored."""
    sums: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for currency, figures in reported:
        for name, amount in figures.items():
            sums[name][currency] += amount
    both = {f"reported_{name}": _by_currency(sums[name]) for name in stored}
    both |= {f"stored_{name}": amount for name, amount in stored.items()}
    rows: QuerySet[Model] = Currency.objects.annotate(**both)
    return rows.exclude(**{f"reported_{name}": F(f"stored_{name}") for name in stored})


def _by_currency(amounts: _Sums) -> Expression:
    cases = (When(pk=currency, then=Value(amount, output_field=_MONEY)) for currency, amount in amounts.items())
    return Case(*cases, default=Value(0, output_field=_MONEY), output_field=_MONEY)


def _balance(column: str) -> Expression:
    invoices, notes = (Sum(column, filter=kind, default=0) for kind in (_INVOICES, _NOTES))
    return ExpressionWrapper(invoices - notes, output_field=_MONEY)


def _of(rows: Manager[Any], sum_: Expression) -> Expression:
    """The sum over the rows in the currency."""
    own = rows.filter(currency=OuterRef("pk")).order_by().values("currency").annotate(figure=sum_).values("figure")
    return Coalesce(Subquery(own), Value(0), output_field=_MONEY)


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
