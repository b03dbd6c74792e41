"""The invariants of orders' money: every cent of an order is a payment, a card, credit or a refund, once.

Each has a query for its violations; `manage.py verify_ledger` checks them (orders/management/invariants/__init__.py).
"""

from django.db.models import (
    Exists,
    Expression,
    ExpressionWrapper,
    F,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from giftcards.models import Transaction
from giftcards.spending.holds import ORDER
from giftcards.states import EntryType
from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import Order, OrderCreditLine, OrderTransaction
from orders.refunds.sources import CREDIT_LINE
from orders.states import TransactionReference
from payments.models import Capture, Refund


def as_money(amount: CombinedExpression) -> Expression:
    """Arithmetic with amounts, read as one."""
    return ExpressionWrapper(amount, output_field=MoneyField())


def _unequal_totals() -> QuerySet[Model]:
    parts = as_money(F("subtotal") - F("discount_subtotal") + F("tax_total"))
    orders: QuerySet[Model] = Order.objects.annotate(parts=parts, to_pay=as_money(F("total") + F("credit_line_total")))
    return orders.exclude(Q(parts=F("to_pay")) | _is_overpaid_by_credit("parts"))


def _is_overpaid_by_credit(parts: str) -> Q:
    """Credit lines paid more than the order's value, since goods were returned: its total is 0, never negative."""
    return Q(total=0, **{f"{parts}__lt": F("credit_line_total")})


def _added_up(path: str, prefix: str) -> QuerySet[Model]:
    """Orders whose totals of that prefix are not the sums over their rows at the path."""
    living = Q(**{f"{path}__deleted_at": None})
    sums = {
        f"{name}_sum": Sum(f"{path}__{name}", filter=living, default=0) for name in ("total", "subtotal", "tax_total")
    }
    rows: QuerySet[Model] = Order.objects.annotate(
        **sums, kept=F(f"{prefix}_total"), kept_net=F(f"{prefix}_subtotal"), kept_tax=F(f"{prefix}_tax_total")
    )
    return rows.exclude(kept=F("total_sum"), kept_net=F("subtotal_sum"), kept_tax=F("tax_total_sum"))


def _unequal_halves() -> QuerySet[Model]:
    """Orders that are not their goods and shipping."""
    halves = {
        "gross": as_money(F("item_total") + F("shipping_total")),
        "net": as_money(F("item_subtotal") + F("shipping_subtotal")),
        "tax": as_money(F("item_tax_total") + F("shipping_tax_total")),
        "to_pay": as_money(F("total") + F("credit_line_total")),
    }
    orders: QuerySet[Model] = Order.objects.annotate(**halves)
    is_whole = Q(gross=F("to_pay")) | _is_overpaid_by_credit("gross")
    return orders.exclude(is_whole, net=F("subtotal"), tax=F("tax_total"))


def _unequal_credit() -> QuerySet[Model]:
    living = Q(credit_lines__deleted_at=None)
    orders: QuerySet[Model] = Order.objects.annotate(credit=Sum("credit_lines__amount", filter=living, default=0))
    return orders.exclude(credit=F("credit_line_total"))


def _undebited_orders() -> QuerySet[Model]:
    """Orders whose credit lines are not what was debited from accounts for them."""
    lines = OrderCreditLine.objects.filter(order=OuterRef("pk")).order_by().values("order")
    later = lines.annotate(sum=Sum(_debited(CREDIT_LINE))).values("sum")
    orders: QuerySet[Model] = Order.objects.annotate(
        debited=as_money(_debited(ORDER) + Coalesce(Subquery(later), Value(0), output_field=MoneyField()))
    )
    return orders.exclude(credit_line_total=F("debited"))


def _debited(payer: str) -> Coalesce:
    """What was debited for each row as such a payer."""
    entries = Transaction.objects.filter(type=EntryType.DEBIT, reference=payer, reference_id=OuterRef("pk")).order_by()
    sums = entries.values("reference_id").annotate(sum=Sum("amount")).values("sum")
    return Coalesce(Subquery(sums), Value(0), output_field=MoneyField())


def _unequal_payments() -> QuerySet[Model]:
    """Orders whose sums are not those of their transactions."""
    sums = {
        reference: Sum("transactions__amount", filter=Q(transactions__reference=reference), default=0)
        for reference in TransactionReference.values
    }
    orders: QuerySet[Model] = Order.objects.annotate(**sums, returned=as_money(-F(TransactionReference.REFUND)))
    return orders.exclude(paid_total=F(TransactionReference.CAPTURE), refunded_total=F("returned"))


def _unfounded(reference: TransactionReference, movement: type[Capture | Refund]) -> QuerySet[OrderTransaction]:
    """Transactions that are no capture or refund of that amount, of a payment of their order."""
    amount = F("amount") if reference == TransactionReference.CAPTURE else as_money(-F("amount"))
    found = movement.objects.filter(
        pk=OuterRef("reference_id"), amount=OuterRef("moved"), payment__collection__order_id=OuterRef("order_id")
    )
    rows = OrderTransaction.objects.filter(reference=reference).annotate(moved=amount, number=F("order__display_id"))
    unfounded: QuerySet[OrderTransaction] = rows.exclude(Exists(found))
    return unfounded


def _unrecorded(reference: TransactionReference, movement: type[Capture | Refund]) -> QuerySet[Model]:
    """Captures or refunds of orders' payments without a transaction."""
    recorded = OrderTransaction.objects.filter(reference=reference, reference_id=OuterRef("pk"))
    moved: QuerySet[Model] = movement.objects.exclude(payment__collection__order_id=None).exclude(Exists(recorded))
    return moved


_CAPTURE, _REFUND = TransactionReference.CAPTURE, TransactionReference.REFUND
_SUMS = "{total_sum}, {subtotal_sum} before and {tax_total_sum} of tax"

MONEY_INVARIANTS = (
    Invariant(_unequal_totals, "Order {display_id} has a total of {to_pay}, but its parts add up to {parts}"),
    Invariant(
        _unequal_halves,
        "Order {display_id} has a total of {to_pay}, {subtotal} before and {tax_total} of tax, but its goods and "
        "shipping add up to "
        "{gross}, {net} before and {tax} of tax",
    ),
    Invariant(
        lambda: _added_up("items", "item"),
        f"Order {{display_id}} has goods of {{item_total}}, but its lines add up to {_SUMS}",
    ),
    Invariant(
        lambda: _added_up("shipping_methods", "shipping"),
        f"Order {{display_id}} has shipping of {{shipping_total}}, but its methods add up to {_SUMS}",
    ),
    Invariant(
        _unequal_credit, "Order {display_id} has credit of {credit_line_total}, but its lines add up to {credit}"
    ),
    Invariant(
        _undebited_orders,
        "Order {display_id} has credit of {credit_line_total}, but accounts were debited {debited} for it",
    ),
    Invariant(
        _unequal_payments,
        "Order {display_id} has {paid_total} paid and {refunded_total} refunded, but its transactions add up to "
        "{capture} and {returned}",
    ),
    Invariant(
        lambda: _unfounded(_CAPTURE, Capture),
        "Transaction {id} of order {number} is {amount}, but no capture {reference_id} of that amount belongs to it",
    ),
    Invariant(
        lambda: _unfounded(_REFUND, Refund),
        "Transaction {id} of order {number} is {amount}, but no refund {reference_id} of that amount belongs to it",
    ),
    Invariant(lambda: _unrecorded(_CAPTURE, Capture), "Capture {id} of {amount} is not a transaction of its order"),
    Invariant(lambda: _unrecorded(_REFUND, Refund), "Refund {id} of {amount} is not a transaction of its order"),
)
