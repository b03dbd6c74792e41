"""Screens of rows that cannot be deleted, since too many others refer to them."""

from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.screens.verb_admin import Stored


class UndeletableAdmin(SoftDeletionAdmin[Stored]):
    """Rows can be added and changed. Rows that were deleted by other means are not shown."""

    actions = actions_detail = ()
    forbids = frozenset({"delete"})
    shows_deleted = False
