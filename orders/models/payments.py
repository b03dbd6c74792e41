"""The payment rows of orders, as those who may see the order see them.

They are the rows of payments, whose own visibility follows the cart. A transferred order has another customer than its
cart, so these follow the order.
"""

from typing import Self

from django.db.models import Exists, OuterRef

from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from orders.models.orders import Order, shown_order
from payments.models import Capture, Payment, PaymentCollection, PaymentSession, Refund


class OrderPaymentQuerySet(ResourceQuerySet):
    """Parts of an order's collection. `collection`: the ORM path to it."""

    collection = "collection__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view collections see all rows, others those of the orders that they may see."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("payments.view_paymentcollection"):
            return rows
        order = Order.objects.not_deleted().filter(shown_order(actor), pk=OuterRef(f"{self.collection}order_id"))
        return rows.filter(Exists(order))


class OrderCollectionQuerySet(OrderPaymentQuerySet):
    """The collections of orders."""

    collection = ""


class OrderMovementQuerySet(OrderPaymentQuerySet):
    """Captures and refunds, which are never deleted."""

    collection = "payment__collection__"

    def not_deleted(self) -> Self:
        return self


class OrderPaymentCollection(PaymentCollection):
    """A payment collection of an order."""

    objects = OrderCollectionQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
        default_permissions = ()


class OrderPaymentSession(PaymentSession):
    """A payment session of an order."""

    objects = OrderPaymentQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
        default_permissions = ()


class OrderPayment(Payment):
    """A payment of an order."""

    objects = OrderPaymentQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
        default_permissions = ()


class OrderCapture(Capture):
    """Captured money of an order."""

    objects = OrderMovementQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
        default_permissions = ()


class OrderRefund(Refund):
    """Refunded money of an order."""

    objects = OrderMovementQuerySet.as_manager()  # type: ignore[misc,assignment]  # the proxy's own visibility

    class Meta:
        proxy = True
        default_permissions = ()
