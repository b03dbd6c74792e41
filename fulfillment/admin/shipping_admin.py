"""What the screens of shipping have in common."""

from typing import Any

from commerce.kit.admin.sections import Section
from commerce.kit.admin.soft_deletion_admin import SoftDeletionAdmin
from commerce.kit.admin.verb_admin import Stored
from commerce.kit.core.actor import Actor
from fulfillment import deletion


class ShippingAdmin(SoftDeletionAdmin[Stored]):
    """Rows that are deleted with all below them."""

    section = Section.SHIPPING
    deletion_note = "Everything below it is deleted too. It can be restored."
    readonly_fields = ("id", "created_at", "updated_at", "deleted_at")

    def delete(self, *, actor: Actor, row: Any) -> None:
        deletion.delete(actor=actor, row=row)

    def restore_row(self, *, actor: Actor, row: Any) -> None:
        deletion.restore(actor=actor, row=row)


RECORD = ("Record", {"fields": ("metadata", *ShippingAdmin.readonly_fields), "classes": ("collapse",)})
