"""What the screens of shipping have in common."""

from commerce.kit.admin.record_section import record_section
from commerce.kit.admin.sections import Section
from commerce.kit.admin.soft_deletion_admin import SoftDeletionAdmin
from commerce.kit.admin.verb_admin import Stored


class ShippingAdmin(SoftDeletionAdmin[Stored]):
    """Rows that are deleted with all below them."""

    section = Section.SHIPPING
    deletion_note = "Everything below it is deleted too. It can be restored."
    readonly_fields = ("id", "created_at", "updated_at", "deleted_at")


RECORD = record_section("metadata", *ShippingAdmin.readonly_fields)
