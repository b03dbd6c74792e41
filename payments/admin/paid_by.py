"""Who a payment is from and what it is for, on the screens of collections, sessions and payments."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from carts.admin.order_links import ORDER_LINKS
from carts.models import Cart
from customers.models import Customer
from kit.admin.lists.row_link import may_open, row_link
from payments.models import Payment, PaymentCollection, PaymentSession


class PaidByColumns:
    """The customer and the order."""

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Set `order_link`, None for a cart that is no order, and `customer_link`. At most two statements."""
        carts = _carts_of([collection_of(row) for row in rows])
        order_ids = {order_id for row in rows if (order_id := collection_of(row).order_id) is not None}
        links = ORDER_LINKS.get()(request, order_ids=order_ids) if order_ids else {}
        opens_customers = may_open(request, Customer)
        for row in rows:
            collection = collection_of(row)
            cart = row.payer_cart = carts[collection.pk]
            name = cart.email or "Guest"
            is_linked = opens_customers and cart.customer_id is not None
            row.order_link = links.get(collection.order_id or "")
            row.customer_link = row_link("customers_customer_change", cart.customer_id, name) if is_linked else name

    @admin.display(description="Customer")
    def payer(self, row: Any) -> str:
        collection = collection_of(row)
        cart = getattr(row, "payer_cart", None) or _carts_of([collection])[collection.pk]
        return str(cart.email or "Guest")

    @admin.display(description="Customer")
    def customer(self, row: Any) -> str:
        return str(row.customer_link)

    @admin.display(description="Order")
    def order(self, row: Any) -> str | None:
        link: str | None = row.order_link
        return link


PAID_BY = PaidByColumns()


def _carts_of(collections: Sequence[PaymentCollection]) -> Mapping[str, Cart]:
    """The carts that the collections are of, or that their orders were. At most one statement."""
    order_ids = {each.order_id for each in collections if each.cart is None}
    first = PaymentCollection.objects.filter(order_id__in=order_ids, cart__isnull=False).select_related("cart")
    of_orders = {each.order_id: each.cart for each in first} if order_ids else {}
    return {each.pk: each.cart or of_orders[each.order_id] for each in collections}


def collection_of(row: PaymentCollection | PaymentSession | Payment) -> PaymentCollection:
    """The collection of a row, which may be the row itself."""
    return row if isinstance(row, PaymentCollection) else row.collection
