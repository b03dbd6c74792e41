"""What can be true of an order, as stories write it."""

from collections.abc import Callable, Mapping

from django.utils.timezone import localdate

from carts.models import Promotion
from giftcards.models import StoreCreditAccount
from kit.domain.actor import SYSTEM
from kit.values.money import major
from orders.models import Order
from orders.payment.order_payments import payment_state_of
from orders.reports.sales.by_day import sales_by_day
from payments.models import Payment, PaymentCollection, PaymentSession
from tests.orders.changes.shop import reserved
from tests.orders.fulfillments.shop import lines


def _asked(order: Order) -> str:
    """The amounts and statuses of the living collections besides that of the cart."""
    rows = PaymentCollection.objects.not_deleted().filter(order_id=order.pk, cart=None).order_by("pk")
    return ",".join(f"{row.amount:.2f}:{row.status}" for row in rows)


def _sessions(order: Order) -> str:
    """The statuses of the payment sessions of all collections besides that of the cart, the oldest first."""
    rows = PaymentSession.objects.filter(collection__order_id=order.pk, collection__cart=None).order_by("pk")
    return ",".join(rows.values_list("status", flat=True))


def _line(order: Order) -> str:
    """Total, subtotal without discounts and tax of the first line."""
    first = lines(order)[0]
    return f"{first.total:.2f}/{first.subtotal:.2f}/{first.tax_total:.2f}"


def _off(order: Order) -> str:
    """What discounts take off each line, as stated."""
    living = [line for line in lines(order) if line.deleted_at is None]
    taken = [sum(each.stated_amount for each in line.adjustments.filter(deleted_at=None)) for line in living]
    return ",".join(f"{amount:.2f}" for amount in taken)


def _account(order: Order) -> str:
    return f"{StoreCreditAccount.objects.get(customer=order.customer).balance:.2f}"


def _sales(order: Order) -> str:
    """Of the day."""
    days = sales_by_day(SYSTEM, [localdate(order.created_at)])
    return f"{next(iter(days[order.currency_id].values())).amount:.2f}"


def _uses(order: Order) -> str:
    """How many times its promotion was used, and for how much."""
    promotion = Promotion.objects.select_related("campaign").get()
    assert promotion.campaign is not None
    return f"{promotion.used}:{promotion.campaign.budget_used:.2f}"


def _by_payment(order: Order) -> str:
    """What each payment has refunded, the oldest first."""
    payments = Payment.objects.filter(collection__order_id=order.pk).order_by("pk")
    return ",".join(f"{payment.refunded_amount:.2f}" for payment in payments)


FACTS: Mapping[str, Callable[[Order], str]] = {
    "allowance": lambda order: f"{order.allowance_total:.2f}",
    "back": lambda order: f"{order.refunded_total:.2f}+{order.credit_refunded_total:.2f}",
    "taken": lambda order: f"{order.paid_total:.2f}",
    "held": lambda order: f"{major(payment_state_of(order.pk).held):.2f}",
    "reserved": lambda order: ",".join(f"{title}:{pieces}" for title, pieces in sorted(reserved(order).items())),
    "card": lambda order: f"{StoreCreditAccount.objects.get(gift_card__isnull=False).balance:.2f}",
    "asked": _asked,
    "sessions": _sessions,
    "line": _line,
    "off": _off,
    "account": _account,
    "sales": _sales,
    "uses": _uses,
    "by_payment": _by_payment,
}
"""By name, what is written of the order."""
