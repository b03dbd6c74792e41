"""Screens of rows that migrations create."""

from django.db.models import Model
from django.http import HttpRequest

from commerce.kit.admin.base_admin import BaseAdmin


class ChangeOnlyAdmin(BaseAdmin):
    """Rows can be changed, but neither added nor deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
