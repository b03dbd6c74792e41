"""Refund reasons."""

from django.db import models

from kit.domain.base_model import PublicQuerySet, unique_unless_deleted
from kit.values.ids import IdField
from shop.models.reasons import ReasonColumns


class RefundReason(ReasonColumns):
    """Why money is refunded."""

    id = IdField(prefix="refr")
    code = models.CharField(max_length=255)

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("code", name="payments_refund_reason_code_taken")]

    def __str__(self) -> str:
        return self.label
