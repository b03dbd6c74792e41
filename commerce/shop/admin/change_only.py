"""Screens of rows that migrations create."""

from django.http import HttpRequest

from commerce.kit.admin.base_admin import BaseAdmin
from commerce.kit.core.locking import Row


class ChangeOnlyAdmin(BaseAdmin[Row]):
    """Rows can be changed, but neither added nor deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False
