"""Screens of rows that cannot be deleted, since too many others refer to them."""

from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from commerce.kit.admin.kept_admin import KeptAdmin


class UndeletableAdmin(KeptAdmin):
    """Rows can be added and changed. Rows that were deleted by other means are not shown."""

    actions: Any = ()
    actions_detail: Any = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(deleted_at=None)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
