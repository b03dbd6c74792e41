"""Tables of a row's parts below its screen, to look at."""

from typing import Any, ClassVar

from django.http import HttpRequest
from unfold.admin import TabularInline

from commerce.admin.acting import acting


class ReadOnlyInline(TabularInline):  # type: ignore[misc]
    """Shown to whoever has the permission; nobody writes here."""

    permission: ClassVar[str]

    extra = 0
    can_delete = False
    show_change_link = False
    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return acting(request).may(self.permission)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
