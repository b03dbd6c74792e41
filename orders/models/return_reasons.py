"""Return reasons."""

from django.db import models

from kit.domain.base_model import PublicQuerySet, unique_unless_deleted
from kit.values.ids import IdField
from shop.models.reasons import ReasonColumns


class ReturnReason(ReasonColumns):
    """Why goods come back. Only reasons without children can be chosen.

    Why: docs/decisions/returns.md#values-of-return-reasons-are-unique.
    """

    id = IdField(prefix="rr")
    value = models.CharField(max_length=255)
    parent_return_reason = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="return_reason_children"
    )

    objects = PublicQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("value", name="orders_returnreason_value_taken")]

    def __str__(self) -> str:
        return self.label
