"""Notes of staff."""

from typing import Self

from django.db import models

from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now
from orders.models.orders import Order


class OrderNoteQuerySet(ResourceQuerySet):
    """Notes of staff about orders. They are never deleted."""

    def not_deleted(self) -> Self:
        return self

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Visible to staff with the permission."""
        return self.all() if actor.may("orders.view_ordernote") else self.none()


class OrderNote(models.Model):
    """A note of staff about an order. Triggers refuse changes, except that erasure empties the text (note_triggers).

    created_by: the id of the staff user.
    """

    id = IdField(prefix="ordnote")
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    created_by = models.CharField(max_length=ID_MAX_LENGTH, null=True)
    created_at = TimestampField(default=now, editable=False)

    objects = OrderNoteQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.id} of {self.order}"
