"""The invariants of orders, each with a query for its violations: every cent and every claim has its counterpart.

`manage.py verify_ledger` checks them with those of gift cards and store credit. Messages name orders by their numbers,
since the ids of orders and carts are secret. Source: orders.md 3.2, 8.1-8.6.
"""

from django.db.models import (
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Max,
    Min,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Concat, Left, Substr

from carts.models import Cart, LineItem, Promotion, PromotionUsage
from catalog.models import Reservation
from commerce.kit.core.money import MoneyField
from giftcards.holds import ORDER
from giftcards.invariants import Invariant
from giftcards.models import CreditHold, Transaction
from giftcards.states import EntryType
from orders.models import CompletionAttempt, Order, OrderLineItem, OrderNumber, OrderTransaction
from orders.states import AttemptStatus, TransactionReference
from payments.models import Capture, Refund

_SHOWN_CHARACTERS = 12
"""Of a cart's id, as in logs."""


def _money(amount: CombinedExpression) -> ExpressionWrapper:
    """Arithmetic with amounts, read as one."""
    return ExpressionWrapper(amount, output_field=MoneyField())


def _unequal_totals() -> QuerySet[Order]:
    parts = _money(F("subtotal") - F("discount_subtotal") + F("tax_total"))
    orders: QuerySet[Order] = Order.objects.annotate(parts=parts, to_pay=_money(F("total") + F("credit_line_total")))
    return orders.exclude(parts=F("to_pay"))


def _added_up(path: str, prefix: str) -> QuerySet[Order]:
    """Orders whose totals of that prefix are not the sums over their rows at the path."""
    living = Q(**{f"{path}__deleted_at": None})
    sums = {
        f"{name}_sum": Sum(f"{path}__{name}", filter=living, default=0) for name in ("total", "subtotal", "tax_total")
    }
    rows: QuerySet[Order] = Order.objects.annotate(
        **sums, kept=F(f"{prefix}_total"), kept_net=F(f"{prefix}_subtotal"), kept_tax=F(f"{prefix}_tax_total")
    )
    return rows.exclude(kept=F("total_sum"), kept_net=F("subtotal_sum"), kept_tax=F("tax_total_sum"))


def _unequal_halves() -> QuerySet[Order]:
    """Orders that are not their goods and shipping."""
    halves = {
        "gross": _money(F("item_total") + F("shipping_total")),
        "net": _money(F("item_subtotal") + F("shipping_subtotal")),
        "tax": _money(F("item_tax_total") + F("shipping_tax_total")),
        "to_pay": _money(F("total") + F("credit_line_total")),
    }
    orders: QuerySet[Order] = Order.objects.annotate(**halves)
    return orders.exclude(gross=F("to_pay"), net=F("subtotal"), tax=F("tax_total"))


def _unequal_credit() -> QuerySet[Order]:
    living = Q(credit_lines__deleted_at=None)
    orders: QuerySet[Order] = Order.objects.annotate(credit=Sum("credit_lines__amount", filter=living, default=0))
    return orders.exclude(credit=F("credit_line_total"))


def _undebited_orders() -> QuerySet[Order]:
    """Orders whose credit lines are not what was debited from accounts for them."""
    entries = Transaction.objects.filter(type=EntryType.DEBIT, reference=ORDER, reference_id=OuterRef("pk")).order_by()
    debited = entries.values("reference_id").annotate(sum=Sum("amount")).values("sum")
    orders: QuerySet[Order] = Order.objects.annotate(
        debited=Coalesce(Subquery(debited), Value(0), output_field=MoneyField())
    )
    return orders.exclude(credit_line_total=F("debited"))


def _unequal_payments() -> QuerySet[Order]:
    """Orders whose sums are not those of their transactions."""
    sums = {
        reference: Sum("transactions__amount", filter=Q(transactions__reference=reference), default=0)
        for reference in TransactionReference.values
    }
    orders: QuerySet[Order] = Order.objects.annotate(**sums, returned=_money(-F(TransactionReference.REFUND)))
    return orders.exclude(paid_total=F(TransactionReference.CAPTURE), refunded_total=F("returned"))


def _unfounded(reference: TransactionReference, movement: type[Capture | Refund]) -> QuerySet[OrderTransaction]:
    """Transactions that are no capture or refund of that amount, of a payment of their order."""
    amount = F("amount") if reference == TransactionReference.CAPTURE else _money(-F("amount"))
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


def _open_attempts() -> QuerySet[CompletionAttempt]:
    attempts: QuerySet[CompletionAttempt] = CompletionAttempt.objects.filter(status=AttemptStatus.OPEN)
    return attempts


def _stray_reservations() -> QuerySet[Reservation]:
    """Reservations for a line of an order that there is not, and no attempt is making."""
    cart_line_id = Concat(Value("cali"), Substr("line_item_id", 6), output_field=CharField())
    attempted = LineItem.objects.filter(pk=OuterRef("cart_line_id"), cart_id__in=_open_attempts().values("cart_id"))
    ordered = OrderLineItem.objects.filter(pk=OuterRef("line_item_id"))
    for_orders = Reservation.objects.not_deleted().filter(line_item_id__startswith="ordli_")
    stray: QuerySet[Reservation] = for_orders.annotate(cart_line_id=cart_line_id).exclude(
        Exists(ordered) | Exists(attempted)
    )
    return stray


def _stray_uses() -> QuerySet[PromotionUsage]:
    cart_id = OuterRef("cart_id")
    ordered, attempted = Order.objects.filter(cart_id=cart_id), _open_attempts().filter(cart_id=cart_id)
    stray: QuerySet[PromotionUsage] = PromotionUsage.objects.exclude(Exists(ordered) | Exists(attempted))
    return stray


def _attempts_of_open_carts() -> QuerySet[CompletionAttempt]:
    closed = Cart.objects.filter(pk=OuterRef("cart_id"), completed_at=None).exclude(closed_at=None)
    return _open_attempts().exclude(Exists(closed))


def _carts_without_attempt() -> QuerySet[Cart]:
    attempted = _open_attempts().filter(cart_id=OuterRef("pk"))
    closed = Cart.objects.exclude(closed_at=None).annotate(shown=Left("pk", _SHOWN_CHARACTERS))
    stray: QuerySet[Cart] = closed.exclude(Exists(attempted))
    return stray


def _ordered_carts() -> QuerySet[Order]:
    """Orders whose cart can still be changed."""
    orders: QuerySet[Order] = Order.objects.filter(
        Exists(Cart.objects.filter(pk=OuterRef("cart_id"), completed_at=None))
    )
    return orders


def _gaps() -> QuerySet[Order]:
    """Orders without one of the number before, but for the first."""
    before = Order.objects.filter(display_id=OuterRef("display_id") - 1)
    first = Order.objects.order_by().values(none=Value(1)).annotate(first=Min("display_id")).values("first")
    orders: QuerySet[Order] = Order.objects.exclude(Exists(before)).exclude(display_id__in=first)
    return orders


def _last_number() -> QuerySet[OrderNumber]:
    latest = Order.objects.order_by().values(none=Value(1)).annotate(latest=Max("display_id")).values("latest")
    numbers: QuerySet[OrderNumber] = OrderNumber.objects.annotate(latest=Coalesce(Subquery(latest), Value(0)))
    return numbers.exclude(last=F("latest"))


def _miscounted_promotions() -> QuerySet[Promotion]:
    promotions: QuerySet[Promotion] = Promotion.objects.annotate(uses=Count("usages")).exclude(used=F("uses"))
    return promotions


_CAPTURE, _REFUND = TransactionReference.CAPTURE, TransactionReference.REFUND
_SUMS = "{total_sum}, {subtotal_sum} before and {tax_total_sum} of tax"

ORDER_INVARIANTS = (
    Invariant(_unequal_totals, "Order {display_id} comes to {to_pay}, but its parts to {parts}"),
    Invariant(
        _unequal_halves,
        "Order {display_id} comes to {to_pay}, {subtotal} before and {tax_total} of tax, but its goods and shipping to "
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
    Invariant(lambda: _unrecorded(_CAPTURE, Capture), "Capture {id} of {amount} is no transaction of its order"),
    Invariant(lambda: _unrecorded(_REFUND, Refund), "Refund {id} of {amount} is no transaction of its order"),
    Invariant(
        _stray_reservations,
        "Reservation {id} of {quantity} is for line {line_item_id}, of which there is neither order nor open attempt",
    ),
    Invariant(
        _stray_uses, "Use {id} of promotion {promotion_id} is of a cart with neither an order nor an open attempt"
    ),
    Invariant(_miscounted_promotions, "Promotion {code} counts {used} uses, but there are {uses}"),
    Invariant(
        lambda: CreditHold.objects.filter(
            attempt_id__in=CompletionAttempt.objects.exclude(status=AttemptStatus.OPEN).values("pk")
        ),
        "Hold {id} of {amount} is of attempt {attempt_id}, which has ended",
    ),
    Invariant(_attempts_of_open_carts, "Attempt {id} is open, but its cart is not closed"),
    Invariant(_carts_without_attempt, "Cart {shown}… was closed at {closed_at}, but no attempt to complete it is open"),
    Invariant(_ordered_carts, "Order {display_id} was made, but its cart is not completed"),
    Invariant(_gaps, "Order {display_id} has no order with the number before it"),
    Invariant(_last_number, "The last order has number {latest}, but the counter says {last}"),
)
