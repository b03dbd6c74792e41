"""Refund reasons."""

from django.db import models

from commerce.kit.core.base_model import BaseModel, PublicQuerySet, unique_among_living
from commerce.kit.core.ids import IdField


class RefundReason(BaseModel):
    """A reason for refunds, in the shop's own words."""

    id = IdField(prefix="refr")
    code = models.CharField(max_length=255)
    label = models.CharField(max_length=255)
    description = models.TextField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_among_living("code", name="payments_refund_reason_code_taken")]

    def __str__(self) -> str:
        return self.label
