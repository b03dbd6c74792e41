"""What is to be paid for a cart."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from carts.models import Cart
from carts.models.carts import shown_to
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import BaseModel, ResourceQuerySet
from commerce.kit.core.ids import IdField
from commerce.kit.core.money import MoneyField
from commerce.kit.core.timestamps import TimestampField
from commerce.shop.models import Currency
from payments.states import CollectionStatus


class PaymentCollectionQuerySet(ResourceQuerySet):
    """Collections, as whoever knows the cart may see them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Within the caller's channels; to customers theirs and guests' alone. Source: behaviour.md 0.26."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("payments.view_paymentcollection"):
            return rows
        if actor.type == "customer":
            return rows.filter(shown_to(actor, cart="cart__"))
        return rows.filter(cart__sales_channel_id__in=actor.sales_channel_ids)


class PartQuerySet(ResourceQuerySet):
    """What belongs to a collection. `cart`: the ORM path that leads to the cart."""

    cart = "collection__cart__"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view collections see all, others what is of a cart of theirs."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("payments.view_paymentcollection"):
            return rows
        return rows.filter(shown_to(actor, cart=self.cart))


class PaymentCollection(BaseModel):
    """One of each cart; its amount is what the cart has left to pay.

    authorized_amount, captured_amount, refunded_amount: the sums of its payments in its currency, without what was
        given up before it was captured.
    """

    id = IdField(prefix="pay_col", is_secret=True)
    cart = models.OneToOneField(Cart, on_delete=models.PROTECT, related_name="payment_collection")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    amount = MoneyField()
    authorized_amount = MoneyField(default=0, editable=False)
    captured_amount = MoneyField(default=0, editable=False)
    refunded_amount = MoneyField(default=0, editable=False)
    status = models.CharField(max_length=20, choices=CollectionStatus, default=CollectionStatus.NOT_PAID)
    completed_at = TimestampField(null=True, blank=True, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = PaymentCollectionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="payments_collection_amount"),
            models.CheckConstraint(
                condition=Q(
                    refunded_amount__gte=0,
                    captured_amount__gte=F("refunded_amount"),
                    authorized_amount__gte=F("captured_amount"),
                ),
                name="payments_collection_sums",
            ),
            models.CheckConstraint(condition=Q(status__in=CollectionStatus.values), name="payments_collection_status"),
        ]

    def __str__(self) -> str:
        return self.id
