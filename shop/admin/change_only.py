"""Screens of rows that migrations create."""

from django.http import HttpRequest

from kit.admin.screens.verb_admin import Stored
from shop.admin.undeletable import UndeletableAdmin


class ChangeOnlyAdmin(UndeletableAdmin[Stored]):
    """Rows can be changed, but neither added nor deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
