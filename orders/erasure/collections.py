"""The payment collections of carts that became orders, with those that the orders have besides."""

from collections.abc import Mapping, Sequence

from django.db.models import OuterRef, Subquery

from orders.models import Order
from payments.models import PaymentCollection


def carts_by_collection(cart_ids: Sequence[str]) -> Mapping[str, str]:
    """The ids of these carts by the ids of their collections, and of those of their orders. One statement."""
    own = PaymentCollection.objects.filter(cart__in=cart_ids).values_list("pk", "cart_id")
    orders = Order.objects.filter(cart_id__in=cart_ids).values("pk")
    cart_of_order = Subquery(Order.objects.filter(pk=OuterRef("order_id")).values("cart_id"))
    later = PaymentCollection.objects.filter(cart=None, order_id__in=orders).annotate(cart_of_order=cart_of_order)
    return dict(own.union(later.values_list("pk", "cart_of_order")))
