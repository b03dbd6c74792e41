"""Screens of what is only ever read: ledgers, histories, records."""

from django.db.models import Model
from django.http import HttpRequest

from commerce.kit.admin.base_admin import BaseAdmin


class ReadOnlyAdmin(BaseAdmin):
    """Rows to look at, for those who may view them. Nobody writes here, whatever their permissions."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
