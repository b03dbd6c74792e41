"""Payment collections."""

from decimal import Decimal
from typing import Self

from django.db import models
from django.db.models import F, Q

from carts.models import Cart
from carts.models.carts import shown_to_owner
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from kit.values.written_amounts import written
from payments.states import CollectionStatus
from shop.models import Currency

MISMATCHED = Q(captured_amount__gt=F("amount") + F("refunded_amount")) | Q(has_other_currency=True)
"""Collections with more money than the cart costs, or with money in another currency. An index finds these few."""


class PaymentCollectionQuerySet(ResourceQuerySet):
    """Collections are visible to everyone who may see their cart."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Customers see their own collections and guests', in their channels.

        Why: docs/decisions/carts.md#a-cart-belongs-to-its-customer.
        """
        rows = self if with_deleted else self.not_deleted()
        if actor.may("payments.view_paymentcollection"):
            return rows
        if actor.type == "customer":
            return rows.filter(shown_to_owner(actor, row="cart__"))
        return rows.filter(cart__sales_channel_id__in=actor.sales_channel_ids)


class PartQuerySet(ResourceQuerySet):
    """Parts of a collection. `cart`: the ORM path to the cart."""

    cart = "collection__cart__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view collections see all rows, others those of their carts."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("payments.view_paymentcollection"):
            return rows
        return rows.filter(shown_to_owner(actor, row=self.cart))


class PaymentCollection(BaseModel):
    """The payment collection of a cart; its amount is the cart's amount due. An order may have others besides.

    cart: null of a collection that was made for what an order still has to pay.
    order_id: of the order, a row in an app above; null until the cart has become one.
    authorized_amount, captured_amount, refunded_amount: the sums of its payments in its currency, without payments
        that were canceled before any capture.
    returned_amount: the captured money that no order took, so that it is refunded; the refund may still be open.
    has_other_currency: whether it holds money in a currency that is no longer its own.
    """

    id = IdField(prefix="pay_col", is_secret=True)
    cart = models.OneToOneField(
        Cart, null=True, blank=True, on_delete=models.PROTECT, related_name="payment_collection"
    )
    order_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True, editable=False, db_index=True)
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    amount = MoneyField()
    authorized_amount = MoneyField(default=0, editable=False)
    captured_amount = MoneyField(default=0, editable=False)
    refunded_amount = MoneyField(default=0, editable=False)
    returned_amount = MoneyField(default=0, editable=False)
    has_other_currency = models.BooleanField(default=False, db_default=False, editable=False)
    status = models.CharField(max_length=20, choices=CollectionStatus, default=CollectionStatus.NOT_PAID)
    completed_at = TimestampField(null=True, blank=True, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = PaymentCollectionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="payments_collection_amount"),
            models.CheckConstraint(
                condition=Q(cart__isnull=False) | Q(order_id__isnull=False), name="payments_collection_belongs"
            ),
            models.CheckConstraint(
                condition=Q(
                    refunded_amount__gte=0,
                    captured_amount__gte=F("refunded_amount"),
                    authorized_amount__gte=F("captured_amount"),
                ),
                name="payments_collection_sums",
            ),
            models.CheckConstraint(
                condition=Q(returned_amount__gte=0, returned_amount__lte=F("captured_amount")),
                name="payments_collection_returned",
            ),
            models.CheckConstraint(condition=Q(status__in=CollectionStatus.values), name="payments_collection_status"),
        ]
        indexes = [
            models.Index(fields=["id"], condition=MISMATCHED, name="payments_collection_mismatched"),
            models.Index(
                fields=["id"],
                condition=Q(status=CollectionStatus.AUTHORIZED),
                name="payments_collection_to_capture",
            ),
        ]

    def __str__(self) -> str:
        """Without the id, which opens the collection."""
        return f"Payment collection of {written(self.amount, self.currency_id)}"

    @property
    def amount_due(self) -> Decimal:
        """What remains to be captured, in major units."""
        left: Decimal = self.amount - self.captured_amount + self.returned_amount
        return max(left, Decimal(0))
