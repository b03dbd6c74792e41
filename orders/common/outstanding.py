"""What the customer of an order still has to agree to pay."""

from django.db.models import Sum

from kit.values.money import stored
from orders.common.summary import balance_of, outstanding, pending_difference
from orders.models import Order
from payments.models import PaymentCollection


def outstanding_of(order: Order) -> int:
    """In 1/10,000: what is owed, less what is authorized and not captured. One statement."""
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order.pk)
    sums = collections.aggregate(
        authorized=Sum("authorized_amount", default=0), captured=Sum("captured_amount", default=0)
    )
    held = stored(sums["authorized"]) - stored(sums["captured"])
    return outstanding(pending_difference(balance_of(order)), held)
