"""The invariants of invoices and credit notes: they sum to what their orders are worth, and their numbers have no gap.

Rows of documents name their order by its number, and documents by theirs.
"""

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.expressions import Expression
from django.db.models.functions import Coalesce, Greatest, Lag

from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.management.invariants.money import as_money
from orders.models import Invoice, InvoiceLine, InvoiceNumber, InvoiceTax, Order, OrderLineItem, OrderShippingMethod
from orders.models.orders import UNCOUNTED
from orders.states import InvoiceKind, InvoiceLineKind, Invoicing

_SIGN = Case(When(invoice__kind=InvoiceKind.INVOICE, then=Value(1)), default=Value(-1))
_NOTHING = Value(0, output_field=MoneyField())


def _sum(lines: QuerySet[InvoiceLine], by: str, column: str, sign: Expression) -> Expression:
    sums = lines.order_by().values(by).annotate(sum=Sum(sign * F(column), output_field=MoneyField())).values("sum")
    return Coalesce(Subquery(sums), _NOTHING, output_field=MoneyField())


def _unequal_worth() -> QuerySet[Model]:
    """With returns that count once they are received, whatever RETURN_COUNTS says."""
    lines = InvoiceLine.objects.filter(invoice__order=OuterRef("pk"))
    counted = F("item_total") + F("shipping_total") - F("allowance_total")
    for column in UNCOUNTED:
        counted = counted - F(column)
    worth = Case(
        When(canceled_at__isnull=False, then=_NOTHING),
        default=Greatest(as_money(counted), _NOTHING),
        output_field=MoneyField(),
    )
    orders: QuerySet[Model] = Order.objects.filter(Exists(Invoice.objects.filter(order=OuterRef("pk")))).annotate(
        documented=_sum(lines, "invoice__order", "total", _SIGN), worth=worth
    )
    waiting = Q(invoicing=Invoicing.WAITING)  # for the seller's data
    return orders.exclude(waiting | Q(documented=F("worth")))


def _unequal_rows(rows: QuerySet[OrderLineItem] | QuerySet[OrderShippingMethod]) -> QuerySet[Model]:
    """Rows of invoiced orders which their documents state otherwise.

    Where something was refunded beyond what was owed, goods that came back later may be on no document.
    """
    own = Invoice.objects.filter(order=OuterRef("order"))
    refunds = InvoiceLine.objects.filter(invoice__order=OuterRef("order"), kind=InvoiceLineKind.REFUND)
    lines = InvoiceLine.objects.filter(invoice__order=OuterRef("order"), reference_id=OuterRef("pk"))
    is_gone = Q(deleted_at__isnull=False) | Q(order__canceled_at__isnull=False)
    net = as_money(F("total") - F("tax_total"))
    found: QuerySet[Model] = (
        rows.filter(Exists(own), order__invoicing=Invoicing.ISSUED)
        .exclude(Exists(refunds))
        .annotate(
            number=F("order__display_id"),
            net=Case(When(is_gone, then=_NOTHING), default=net, output_field=MoneyField()),
            tax=Case(When(is_gone, then=_NOTHING), default=F("tax_total"), output_field=MoneyField()),
            documented=_sum(lines, "reference_id", "subtotal", _SIGN),
            documented_tax=_sum(lines, "reference_id", "tax_total", _SIGN),
        )
    )
    return found.exclude(net=F("documented"), tax=F("documented_tax"))


def _unequal_lines() -> QuerySet[Model]:
    """Without agreed returns, whose units the totals of a line still have."""
    return _unequal_rows(OrderLineItem.objects.filter(return_agreed_quantity=0))


def _unequal_methods() -> QuerySet[Model]:
    return _unequal_rows(OrderShippingMethod.objects.filter(of_return=None))


def _unequal_totals() -> QuerySet[Model]:
    lines = InvoiceLine.objects.filter(invoice=OuterRef("pk"))
    taxes = InvoiceTax.objects.filter(invoice=OuterRef("pk")).order_by().values("invoice")
    one = Value(1)
    documents: QuerySet[Model] = Invoice.objects.annotate(
        net=_sum(lines, "invoice", "subtotal", one),
        tax=_sum(lines, "invoice", "tax_total", one),
        sum=_sum(lines, "invoice", "total", one),
        taxes_sum=Coalesce(Subquery(taxes.annotate(sum=Sum("total")).values("sum")), _NOTHING),
    )
    return documents.exclude(
        subtotal=F("net"), tax_total=F("tax"), total=F("sum"), taxes_sum=F("tax"), sum=as_money(F("net") + F("tax"))
    )


def _unequal_blocks() -> QuerySet[Model]:
    lines = InvoiceLine.objects.filter(
        invoice=OuterRef("invoice"), category=OuterRef("category"), combination=OuterRef("combination")
    )
    taxes: QuerySet[Model] = InvoiceTax.objects.annotate(
        shown_number=F("invoice__shown_number"), net=_sum(lines, "invoice", "subtotal", Value(1))
    )
    return taxes.exclude(subtotal=F("net"))


def _gaps() -> QuerySet[Model]:
    own = Invoice.objects.filter(kind=OuterRef("kind"), series_year=OuterRef("series_year")).order_by()
    numbers: QuerySet[Model] = InvoiceNumber.objects.annotate(
        written=Coalesce(Subquery(own.values("kind").annotate(count=Count("pk")).values("count")), 0),
        highest=Coalesce(Subquery(own.values("kind").annotate(last=Max("number")).values("last")), 0),
    )
    return numbers.exclude(last=F("written"), highest=F("written"))


def _unnumbered() -> QuerySet[Invoice]:
    series = InvoiceNumber.objects.filter(kind=OuterRef("kind"), series_year=OuterRef("series_year"))
    return Invoice.objects.exclude(Exists(series))


def _earlier() -> QuerySet[Model]:
    before = Window(Lag("issued_at"), partition_by=[F("kind"), F("series_year")], order_by="number")
    documents: QuerySet[Model] = Invoice.objects.annotate(before=before)
    return documents.filter(before__gt=F("issued_at"))


def _unequal_invoicing() -> QuerySet[Model]:
    is_issued = Exists(Invoice.objects.filter(order=OuterRef("pk")))
    issued = Q(invoicing=Invoicing.ISSUED)
    orders: QuerySet[Model] = Order.objects.filter(Q(issued & ~Q(is_issued)) | Q(Q(invoicing=None) & Q(is_issued)))
    return orders


_ROW = "of order {number} is documented as {documented} and {documented_tax} tax, not {net} and {tax}"
INVOICE_INVARIANTS = (
    Invariant(
        _unequal_worth,
        "The documents of order {display_id} sum to {documented}, not to {worth}, which it is worth less allowances",
    ),
    Invariant(_unequal_lines, f"Line {{id}} {_ROW}"),
    Invariant(_unequal_methods, f"Shipping method {{id}} {_ROW}"),
    Invariant(
        _unequal_totals,
        "Document {shown_number} has {subtotal}, {tax_total} and {total}, but its lines {net}, {tax} and {sum}, and "
        "its taxes {taxes_sum}",
    ),
    Invariant(
        _unequal_blocks,
        "Document {shown_number} has a tax on {subtotal} at {combination}, but its lines there are worth {net}",
    ),
    Invariant(
        _gaps,
        "The series {kind} {series_year} has counted {last} documents, but there are {written}, the last of which is "
        "number {highest}",
    ),
    Invariant(_unnumbered, "Document {shown_number} belongs to no series"),
    Invariant(_earlier, "Document {shown_number} is of an earlier time than the one before it in its series"),
    Invariant(_unequal_invoicing, "Order {display_id} has the invoicing {invoicing}, unlike its documents"),
)
