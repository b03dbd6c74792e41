"""Screens of rows that cannot be deleted, since too many others refer to them."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.screens.verb_admin import Stored


class UndeletableAdmin(SoftDeletionAdmin[Stored]):
    """Rows can be added and changed. Rows that were deleted by other means are not shown."""

    actions: Any = ()
    actions_detail: Any = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Stored]:
        return super().get_queryset(request).filter(deleted_at=None)

    def has_delete_permission(self, request: HttpRequest, obj: Stored | None = None) -> bool:
        return False
