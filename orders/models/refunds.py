"""Refunds of orders, in parts. Why: docs/decisions/refunds.md#a-refund-of-an-order-has-parts."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from giftcards.models import StoreCreditAccount
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from orders.models.orders import Order
from payments.models import Intent, Payment, RefundReason


class GrantedRefundQuerySet(ResourceQuerySet):
    """Refunds of orders: the shop's own view of them. Shoppers see the refunds of payments."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view orders."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("orders.view_order") else rows.none()


class RefundPartQuerySet(GrantedRefundQuerySet):
    """Parts, which are never deleted."""

    def not_deleted(self) -> Self:
        return self


class GrantedRefund(BaseModel):
    """A refund of an order, as staff granted it or a provider reported it.

    Its parts say where the money goes. (Refunds of payments, which move money, are rows of payments.)

    allowance: how much of the amount was not owed to the customer; the order's allowance_total is the sum.
    return_id: of the return that it is for. to_store_credit: whether all of it went to the customer's store credit.
    no_notification: whether the customer gets no email about it.
    created_by: the id of the staff user; null for a refund on a provider's own screens.
    idempotency_digest: of the request's Idempotency-Key (kit/safety/idempotency); null without one.
    """

    id = IdField(prefix="ordref")
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="refunds")
    amount = MoneyField()
    allowance = MoneyField(default=0)
    refund_reason = models.ForeignKey(RefundReason, null=True, on_delete=models.PROTECT, related_name="+")
    return_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    note = models.TextField(null=True)
    to_store_credit = models.BooleanField(default=False)
    no_notification = models.BooleanField(null=True)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    idempotency_digest = models.CharField(max_length=64, null=True)

    objects = GrantedRefundQuerySet.as_manager()

    class Meta:
        verbose_name = "refund"
        constraints = [
            models.UniqueConstraint(fields=["idempotency_digest"], name="orders_grantedrefund_key_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="orders_grantedrefund_amount"),
            models.CheckConstraint(
                condition=Q(allowance__gte=0, allowance__lte=F("amount")), name="orders_grantedrefund_allowance"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} of {self.order}"


class RefundPart(models.Model):
    """What a refund returns to one payment or store credit account. rank: the order in which parts were filled.

    intent: the request to the payment's provider; null if the money was refunded on the provider's own screens.
    """

    id = IdField(prefix="ordrefp")
    refund = models.ForeignKey(GrantedRefund, on_delete=models.PROTECT, related_name="parts")
    rank = models.PositiveSmallIntegerField()
    amount = MoneyField()
    payment = models.ForeignKey(Payment, null=True, on_delete=models.PROTECT, related_name="+")
    intent = models.OneToOneField(Intent, null=True, on_delete=models.PROTECT, related_name="refund_part")
    account = models.ForeignKey(StoreCreditAccount, null=True, on_delete=models.PROTECT, related_name="+")

    objects = RefundPartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["refund", "rank"], name="orders_refundpart_rank"),
            models.UniqueConstraint(fields=["refund", "payment"], name="orders_refundpart_payment_once"),
            models.UniqueConstraint(fields=["refund", "account"], name="orders_refundpart_account_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="orders_refundpart_amount"),
            models.CheckConstraint(
                condition=Q(payment__isnull=False, account=None) | Q(payment=None, intent=None, account__isnull=False),
                name="orders_refundpart_target",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} to {self.payment_id or self.account_id}"
