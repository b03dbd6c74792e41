"""The history of stock: every change of a level's stocked quantity, never changed itself."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from catalog.models.inventory import InventoryLevel
from catalog.states import MovementReason
from kit.domain.base_model import BackOfficeQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now


class MovementQuerySet(BackOfficeQuerySet):
    """Movements, which are never deleted."""

    def not_deleted(self) -> Self:
        return self


class StockMovement(models.Model):
    """A change to the stock of a level. Inserting one updates the level's stock, by a trigger (stock_triggers).

    reference_id: the id of the fulfillment or return that caused it, in a higher app.
    stocked_before, stocked_after: pieces. backordered: how many of the pieces that left were sold on backorder; only
    these may take the stock below 0.
    created_by: the id of the staff user who made it; null if it was not a user. api_key_id: the user's secret key, if
    a program made it.
    """

    id = IdField(prefix="smov")
    level = models.ForeignKey(InventoryLevel, on_delete=models.PROTECT, related_name="movements", db_index=False)
    reason = models.CharField(max_length=24, choices=MovementReason.choices)
    reference_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True)
    stocked_before = models.IntegerField()
    stocked_after = models.IntegerField()
    backordered = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True, default="")
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True)
    api_key_id = models.CharField(max_length=ID_MAX_LENGTH, null=True, blank=True)
    created_at = TimestampField(default=now, editable=False)

    objects = MovementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(reason__in=MovementReason.values), name="catalog_movement_reason"),
            models.CheckConstraint(condition=~Q(stocked_after=F("stocked_before")), name="catalog_movement_some"),
            models.CheckConstraint(
                condition=Q(backordered=0) | Q(reason=MovementReason.FULFILLMENT), name="catalog_movement_backordered"
            ),
            # Below 0 only by as many pieces as were sold on backorder; a movement up is always possible.
            models.CheckConstraint(
                condition=Q(stocked_after__gte=-F("backordered"))
                | Q(stocked_after__gte=F("stocked_before") - F("backordered")),
                name="catalog_movement_below_zero",
            ),
            # A fulfillment is deducted from a level once, and restored once.
            models.UniqueConstraint(
                fields=["level", "reason", "reference_id"],
                condition=Q(reason__in=[MovementReason.FULFILLMENT, MovementReason.FULFILLMENT_CANCELED]),
                name="catalog_movement_once",
            ),
        ]
        indexes = [models.Index(fields=["level", "id"], name="catalog_movement_history")]

    def __str__(self) -> str:
        return f"{self.stocked_before} to {self.stocked_after} of {self.level}"

    @property
    def difference(self) -> int:
        """Pieces that were added; negative if they were removed."""
        return self.stocked_after - self.stocked_before
