"""Read-only screens: ledgers, histories, records."""

from django.http import HttpRequest

from kit.admin.base_admin import BaseAdmin
from kit.database.locking import Row


class ReadOnlyAdmin(BaseAdmin[Row]):
    """Rows for users who may view them. Nobody can write here, whatever their permissions."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False
