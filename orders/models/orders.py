"""The order itself, its addresses, and the counter of order numbers."""

from functools import reduce
from typing import Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThan

from carts.models.carts import shown_to_owner
from carts.models.kept_totals import CartTotalColumns
from carts.states import TaxFallback
from customers.models import Customer
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from orders.models.counts import OrderCount, OrderRangeCount
from orders.states import FulfillmentStatus, Invoicing, OrderStatus, PaymentStatus
from shop.models import Currency, Region, SalesChannel
from shop.models.addresses import PostalAddress

# Conditions for the open tasks of staff (orders/admin/to_do.py). Each has a partial index, since few orders match.
TO_PACK = Q(
    status=OrderStatus.PENDING,
    fulfillment_status__in=[
        FulfillmentStatus.NOT_FULFILLED,
        FulfillmentStatus.PARTIALLY_FULFILLED,
        FulfillmentStatus.PARTIALLY_SHIPPED,
        FulfillmentStatus.PARTIALLY_DELIVERED,
    ],
)
TO_CAPTURE = Q(
    canceled_at=None,
    payment_status__in=[
        PaymentStatus.AUTHORIZED,
        PaymentStatus.PARTIALLY_AUTHORIZED,
        PaymentStatus.PARTIALLY_CAPTURED,
    ],
)


def difference(*less: str) -> Combinable:
    """The pending difference, as orders/common/summary.py calculates it.

    less: the columns of what the order's goods and shipping contain, but the customer does not owe.
    """
    costs = reduce(lambda sum, column: sum - F(column), less, F("item_total") + F("shipping_total"))
    paid = F("paid_total") + F("credit_line_total") - F("refunded_total") - F("credit_refunded_total")
    return costs - paid - F("allowance_total")


ORIGINAL_CREDIT = Coalesce("original_credit_total", "credit_line_total", output_field=MoneyField())
"""What gift cards and store credit paid when the order was placed."""
UNCOUNTED = ("return_shipping_due", "agreed_return_total")
"""With the default RETURN_COUNTS, the columns of what goods and shipping contain, but the customer does not owe."""
DIFFERENCE = difference(*UNCOUNTED)
"""With the default RETURN_COUNTS. Its index shows PostgreSQL how few are below 0, which a partial one would not."""
TO_INVOICE = Q(invoicing=Invoicing.WAITING)
TO_REFUND = Q(LessThan(DIFFERENCE, 0), canceled_at=None)


def shown_order(actor: Actor, *, order: str = "") -> Q:
    """The condition of orders that the actor may see by their id. order: a path that ends at an order (`order__`)."""
    return found_order(actor, order=order) & Q(**{f"{order}left_account_at": None})


def found_order(actor: Actor, *, order: str = "") -> Q:
    """The same for a guest who proves to read the order's emails. Like that of carts; shoppers see no erased order."""
    return shown_to_owner(actor, row=order) & Q(**{f"{order}erasure_requested_at": None})


class OrderQuerySet(ResourceQuerySet):
    """Orders that an actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All orders for staff who may view them.

        Others see the orders of their channels: a customer's order is visible to that customer, a guest's order to
        callers who know its id. Why: docs/decisions/orders.md#a-customers-order-is-theirs-alone.
        """
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("orders.view_order") else rows.filter(shown_order(actor))

    def kept_counts(self, actor: Actor, *, with_deleted: bool) -> QuerySet[OrderCount] | None:
        """For staff who may view all orders."""
        return OrderCount.objects.all() if actor.may("orders.view_order") and not with_deleted else None

    def kept_range_counts(self, actor: Actor, *, with_deleted: bool) -> QuerySet[OrderRangeCount] | None:
        """For staff who may view all orders."""
        return OrderRangeCount.objects.all() if actor.may("orders.view_order") and not with_deleted else None


class OrderPartQuerySet(ResourceQuerySet):
    """Rows that belong to an order. `order`: the ORM path to it."""

    order = "order__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to those who may see the order."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("orders.view_order") else rows.filter(shown_order(actor, order=self.order))


class OrderRecordQuerySet(OrderPartQuerySet):
    """Rows that belong to an order and are never deleted."""

    def not_deleted(self) -> Self:
        return self


class OrderAddressQuerySet(ResourceQuerySet):
    """Addresses of orders."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to those who may see the order."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("orders.view_order"):
            return rows
        goes_there = Q(shipping_address_id=OuterRef("pk")) | Q(billing_address_id=OuterRef("pk"))
        return rows.filter(Exists(Order.objects.visible_to(actor).filter(goes_there)))


class OrderAddress(PostalAddress, BaseModel):
    """The shipping or billing address of an order, copied from its cart."""

    id = IdField(prefix="ordaddr")
    customer_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True)

    objects = OrderAddressQuerySet.as_manager()


class Order(CartTotalColumns, BaseModel):
    """What a cart became. Texts, prices and taxes are copies: later changes of the catalogue do not reach it.

    cart_id: of the cart, of which it is the only order. The cart's row may be deleted later.
    display_id: the order's number, gapless and ascending by commit (orders/completion/numbers.py).
    total: the remaining amount to pay by payments, as on a cart.
    original_order_total: `total` as it was placed. original_credit_total: the same of credit_line_total, once credit
        lines were added to the placed order; null before. paid_total, refunded_total: the sums of its transactions.
    credit_refunded_total: what was refunded to gift cards and store credit, also instead of to payments.
    allowance_total: refunds beyond what was owed (orders/refunds/allowance.py).
    requested_return_total: of units whose return is requested. return_shipping_due: of returns without received units.
        Both wait until the return counts (orders/common/summary.py).
    agreed_return_total: the part of requested_return_total of exchanges and claims, which counts at once.
    payment_status, fulfillment_status: written by the verbs in their transactions.
        Why: docs/decisions/orders.md#statuses-are-stored-columns.
    fulfillment_count: of all its fulfillments, canceled ones too; reads look for none where it is 0.
    tax_fallback: as on its cart, or of what an edit has added.
    invoicing: null before its first invoice is due. From `issued` on, its documents follow its value (orders/invoices).
    canceled_at: stays when a canceled order is archived.
    left_account_at: when staff have taken it from an account. As that knows its id, its guest sees it by number and
        email address alone. Why: docs/decisions/orders.md#a-customers-order-is-theirs-alone.
    erasure_requested_at: when the erasure of its person was requested. Shoppers no longer see the order.
    erased_at: when its personal data, such as the email address, was erased (orders/erasure).
    """

    id = IdField(prefix="order", is_secret=True)
    cart_id = models.CharField(max_length=ID_MAX_LENGTH, unique=True, editable=False)
    display_id = models.BigIntegerField(unique=True, editable=False)
    custom_display_id = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    status = models.CharField(max_length=16, choices=OrderStatus, default=OrderStatus.PENDING, editable=False)
    payment_status = models.CharField(max_length=24, choices=PaymentStatus, editable=False)
    fulfillment_status = models.CharField(
        max_length=24, choices=FulfillmentStatus, default=FulfillmentStatus.NOT_FULFILLED, editable=False
    )
    fulfillment_count = models.PositiveIntegerField(default=0, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    email = models.EmailField(null=True, blank=True)
    region = models.ForeignKey(Region, on_delete=models.PROTECT, related_name="+")
    sales_channel = models.ForeignKey(SalesChannel, on_delete=models.PROTECT, related_name="+")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    customer = models.ForeignKey(Customer, null=True, blank=True, on_delete=models.SET_NULL, related_name="orders")
    locale = models.CharField(max_length=35, null=True, blank=True)
    no_notification = models.BooleanField(null=True, blank=True)
    shipping_address = models.OneToOneField(
        OrderAddress, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    billing_address = models.OneToOneField(
        OrderAddress, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    is_tax_exempt = models.BooleanField(null=True, editable=False)
    tax_number = models.TextField(null=True, blank=True, editable=False)
    original_order_total = MoneyField(editable=False)
    original_credit_total = MoneyField(null=True, editable=False)
    paid_total = MoneyField(default=0, editable=False)
    refunded_total = MoneyField(default=0, editable=False)
    credit_refunded_total = MoneyField(default=0, editable=False)
    allowance_total = MoneyField(default=0, editable=False)
    requested_return_total = MoneyField(default=0, editable=False)
    agreed_return_total = MoneyField(default=0, db_default=0, editable=False)
    return_shipping_due = MoneyField(default=0, editable=False)
    tax_fallback = models.CharField(max_length=16, choices=TaxFallback, null=True, blank=True, editable=False)
    invoicing = models.CharField(max_length=8, choices=Invoicing, null=True, editable=False)
    left_account_at = TimestampField(null=True, blank=True, editable=False)
    canceled_at = TimestampField(null=True, blank=True, editable=False)
    erasure_requested_at = TimestampField(null=True, blank=True, editable=False)
    erased_at = TimestampField(null=True, blank=True, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = OrderQuerySet.as_manager()

    class Meta:
        permissions = [("cancel_order", "Can cancel order"), ("export_order", "Can export orders")]
        indexes = [
            models.Index(fields=["customer", "created_at"], name="orders_order_of_customer"),
            models.Index(fields=["created_at"], name="orders_order_moment"),
            # With the number, by which lists are sorted: a list of a rare status does not scan other orders.
            models.Index(fields=["payment_status", "display_id"], name="orders_order_payment"),
            models.Index(fields=["fulfillment_status", "display_id"], name="orders_order_fulfillment"),
            models.Index(fields=["status", "display_id"], name="orders_order_state"),
            models.Index(fields=["email"], name="orders_order_email"),
            # Finds the last order of a guest (orders/reports/buyers.py)
            models.Index(
                fields=["email", "created_at", "id"],
                condition=Q(customer=None, erasure_requested_at=None, deleted_at=None),
                name="orders_order_of_guest",
            ),
            # With deleted_at, so that orders of an amount are counted without reading them
            models.Index(fields=["total", "deleted_at"], name="orders_order_of_amount"),
            models.Index(fields=["updated_at"], name="orders_order_changed"),
            models.Index(
                fields=["created_at"],
                condition=Q(erasure_requested_at__isnull=False, erased_at=None),
                name="orders_order_to_erase",
            ),
            # All columns of an order that orders/reports/sales reads
            models.Index(
                fields=[
                    *("created_at", "currency", "original_order_total", "original_credit_total", "credit_line_total"),
                    "id",
                ],
                condition=Q(canceled_at=None, deleted_at=None),
                name="orders_order_sold",
            ),
            models.Index(fields=["created_at"], condition=TO_PACK, name="orders_order_to_pack"),
            models.Index(fields=["created_at"], condition=TO_CAPTURE, name="orders_order_to_capture"),
            models.Index(fields=["created_at"], condition=TO_INVOICE, name="orders_order_to_invoice"),
            models.Index(DIFFERENCE, name="orders_order_pending"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=OrderStatus.values), name="orders_order_status"),
            models.CheckConstraint(
                condition=Q(payment_status__in=PaymentStatus.values), name="orders_order_payment_status"
            ),
            models.CheckConstraint(
                condition=Q(fulfillment_status__in=FulfillmentStatus.values), name="orders_order_fulfillment_status"
            ),
            models.CheckConstraint(condition=Q(display_id__gte=1), name="orders_order_number"),
            models.CheckConstraint(
                condition=Q(total__gte=0, original_order_total__gte=0, allowance_total__gte=0),
                name="orders_order_total",
            ),
            models.CheckConstraint(
                condition=Q(requested_return_total__gte=0, return_shipping_due__gte=0), name="orders_order_returns"
            ),
            models.CheckConstraint(
                condition=Q(refunded_total__gte=0, paid_total__gte=F("refunded_total")),
                name="orders_order_paid_before_refunded",
            ),
            models.CheckConstraint(
                condition=Q(
                    credit_refunded_total__gte=0,
                    credit_refunded_total__lte=F("paid_total") + F("credit_line_total"),
                ),
                name="orders_order_credit_refunded",
            ),
        ]

    def __str__(self) -> str:
        return self.custom_display_id or f"#{self.display_id}"

    @property
    def is_canceled(self) -> bool:
        """Whether the order was canceled, even if it has been archived since."""
        return self.status == OrderStatus.CANCELED or self.canceled_at is not None


class OrderNumber(models.Model):
    """The one row that holds the last order number. A transaction takes the next one at its end."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    last = models.BigIntegerField(default=0)

    objects = models.Manager["OrderNumber"]()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="orders_ordernumber_one_row")]

    def __str__(self) -> str:
        return str(self.last)
