"""What the screens of shipping have in common."""

from kit.admin.forms.record_section import record_section
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.screens.verb_admin import Stored
from kit.admin.sections import Section


class ShippingAdmin(SoftDeletionAdmin[Stored]):
    """Rows that are deleted with all below them."""

    section = Section.SHIPPING
    deletion_note = "Everything below it is deleted too. It can be restored."
    readonly_fields = ("id", "created_at", "updated_at", "deleted_at")


RECORD = record_section("metadata", *ShippingAdmin.readonly_fields)
