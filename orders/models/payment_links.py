"""Links by which customers pay what an order still owes."""

from typing import Self

from django.db import models

from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order


class PaymentLinkQuerySet(models.QuerySet["PaymentLink"]):
    """Payment links."""

    def usable(self) -> Self:
        """Those that have not expired, of orders that are neither canceled nor erased."""
        of_order = {"order__deleted_at": None, "order__canceled_at": None, "order__erased_at": None}
        return self.filter(expires_at__gt=now(), **of_order)


class PaymentLink(models.Model):
    """A link that pays an order, for whoever has it. It names no amount: that is what is outstanding when it is used.

    token_digest: of the token in the link, which is not stored. is_mailed: whether the customer got it by email;
    otherwise it was shown once. created_by: the id of the staff user; null if a program made it.
    Why: docs/decisions/payments.md#links-let-customers-pay.
    """

    id = IdField(prefix="paylink")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="payment_links", editable=False)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    is_mailed = models.BooleanField(editable=False)
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True, editable=False)
    created_at = TimestampField(default=now, editable=False)
    expires_at = TimestampField(editable=False)

    objects = PaymentLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return self.id
