"""Sales and taxes, as invoices and credit notes state them: by period, currency, country, category and rate.

A document counts on its day of issue, and a credit note takes off. Bought gift cards are outside the scope of tax: they
have an own column, and are no sales.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from kit.values.money import MoneyField
from orders.models import InvoiceLine, InvoiceTax, OrderLineItem
from orders.reports.accounting.intervals import Interval
from orders.reports.sales.periods import Period
from orders.states import InvoiceKind, TaxCategory

_ORDER = "invoice__order__"
_SHIPPED, _BILLED = (f"{_ORDER}{kind}_address__country_code" for kind in ("shipping", "billing"))
_IS_GIFT_CARD = Q(category=TaxCategory.OUTSIDE_SCOPE)


class Sales(NamedTuple):
    """What was sold at one combination of rates. subtotal, total: without and with tax, without gift cards.

    period: such as `2026-11`. country: lower-case, where it was taxed; "" if no address says. category: of EN 16931.
    combination: rates in percent, such as `5+9.975`; "" where no tax applies. gift_card_total: of bought gift cards.
    """

    period: str
    currency: str
    country: str
    category: str
    combination: str
    subtotal: Decimal
    tax_total: Decimal
    total: Decimal
    gift_card_total: Decimal


class Tax(NamedTuple):
    """One tax, over all combinations that have it. rate: in percent, such as `9.975`. subtotal: of what it is taken."""

    period: str
    currency: str
    country: str
    category: str
    code: str
    description: str
    rate: str
    subtotal: Decimal
    total: Decimal


def sales(period: Period, interval: Interval) -> Sequence[Sales]:
    """By period, currency, country, category and combination. One statement."""
    rows = (
        _of_documents(InvoiceLine, period, interval)
        .values_list("first_day", *_BY, "category", "combination")
        .annotate(
            net=balance("subtotal", ~_IS_GIFT_CARD),
            tax=balance("tax_total", ~_IS_GIFT_CARD),
            gross=balance("total", ~_IS_GIFT_CARD),
            cards=balance("total", _IS_GIFT_CARD),
        )
    )
    return sorted(Sales(interval.name_of(first), *rest) for first, *rest in rows)


def taxes(period: Period, interval: Interval) -> Sequence[Tax]:
    """By period, currency, country, category, code and rate. One statement."""
    rows = (
        _of_documents(InvoiceTax, period, interval)
        .exclude(_IS_GIFT_CARD)
        .values_list("first_day", *_BY, "category", "code", "rate")
        .annotate(net=balance("subtotal"), tax=balance("total"), name=Coalesce(Max("description"), "code"))
    )
    return sorted(
        Tax(interval.name_of(first), currency, country, category, code, name, f"{rate.normalize():f}", subtotal, total)
        for first, currency, country, category, code, rate, subtotal, total, name in rows
    )


_BY = (F("invoice__currency_id"), "country")


def _of_documents(
    parts: type[InvoiceLine | InvoiceTax], period: Period, interval: Interval
) -> "QuerySet[InvoiceLine | InvoiceTax, Any]":
    """Parts of the documents of these days.

    With a single condition PostgreSQL knows how many there are: it reads a month by indexes, and years as whole tables.
    """
    return (
        parts.objects.filter(invoice__issued_on__range=period)
        .annotate(first_day=interval.of_day("invoice__issued_on"), country=_country())
        .order_by()
    )


def _country() -> Expression:
    """Where the order was taxed, as carts are: at the shipping address if anything is shipped, else where it is billed.

    The country of an address never changes once the order is placed.
    """
    shipped = OrderLineItem.objects.filter(order=OuterRef("invoice__order"), requires_shipping=True)
    return Case(
        When(Q(**{_SHIPPED: F(_BILLED)}) | Q(**{_BILLED: None}) | Q(Exists(shipped)), then=_first(_SHIPPED, _BILLED)),
        default=_first(_BILLED, _SHIPPED),
    )


def _first(*columns: str) -> Coalesce:
    return Coalesce(*columns, Value(""))


def balance(column: str, condition: Q | None = None, *, kind: str = "invoice__kind") -> Expression:
    """The sum over invoices less that over credit notes. kind: the path to that of the document."""
    invoices, notes = (Sum(column, filter=Q(condition or Q(), **{kind: each}), default=0) for each in InvoiceKind)
    return ExpressionWrapper(invoices - notes, output_field=MoneyField())
