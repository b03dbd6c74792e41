"""Both statuses of an order once more, in plain Python: from captures and refunds, and from fulfillments."""

from decimal import Decimal

from orders.models import Fulfillment, Order
from payments.models import Payment, PaymentSession
from payments.states import SessionStatus

WAITING = {"pending", "pending_authorization"}
REACHED = ("delivered", "shipped", "fulfilled")


def payment_status(order: Order) -> str:
    """From the rows of captures and refunds, where the shop goes by the sums of the collection."""
    payments = list(Payment.objects.filter(collection__order_id=order.pk).select_related("session"))
    returned = sum((each.returned_amount for each in payments), Decimal(0))
    captured = sum((move.amount for each in payments for move in each.captures.all()), Decimal(0)) - returned
    refunded = sum((move.amount for each in payments for move in each.refunds.all()), Decimal(0)) - returned
    held = sum((each.authorized_amount for each in payments if is_held(each)), Decimal(0))
    due = order.total - order.return_shipping_due - order.agreed_return_total
    if captured > 0:
        if refunded > 0:
            return "refunded" if refunded >= captured else "partially_refunded"
        return "captured" if captured >= due else "partially_captured"
    if order.canceled_at:
        return "canceled"
    if due <= 0:
        return "captured"
    sessions = {each.status for each in PaymentSession.objects.filter(collection__order_id=order.pk)}
    if "requires_more" in sessions:
        return "requires_action"
    if held > 0:
        return "authorized" if held >= due else "partially_authorized"
    return "awaiting" if sessions & WAITING else "not_paid"


def is_held(payment: Payment) -> bool:
    return bool(payment.canceled_at is None and payment.session.status != SessionStatus.CANCELED)


def fulfillment_status(order: Order) -> str:
    """By fulfillments, where the shop goes by the counters of lines."""
    if order.canceled_at:
        return "canceled"
    living = list(order.fulfillments.filter(canceled_at=None).prefetch_related("items__line_item"))
    if not living:
        return "not_fulfilled"
    word = next(step for step in REACHED if any(has_reached(each, step) for each in living))
    units = {line.pk: line.quantity for line in order.items.filter(deleted_at=None)}
    for each in living:
        for line_id, packed in {item.line_item_id: item.units for item in each.items.all()}.items():
            units[line_id] -= packed
    is_whole = not any(units.values()) and all(is_digital(each) or has_reached(each, word) for each in living)
    return word if is_whole else f"partially_{word}"


def has_reached(fulfillment: Fulfillment, step: str) -> bool:
    if step == "fulfilled":
        return True
    return bool(fulfillment.delivered_at if step == "delivered" else fulfillment.shipped_at)


def is_digital(fulfillment: Fulfillment) -> bool:
    return not any(item.line_item.requires_shipping for item in fulfillment.items.all())
