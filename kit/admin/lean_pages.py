"""What pages of a screen do without: scripts that it does not use, counts that nobody asked for, and empty fields."""

from collections.abc import Collection, Iterable
from typing import Any

from django.forms import Media
from django.http import HttpRequest

_PREPOPULATING = ("urlify.js", "prepopulate.js", "xregexp.js", "xregexp.min.js")
"""Django's scripts for prepopulated_fields, half of the bytes of a list's scripts."""

_RECORDED = frozenset({"id", "created_at", "updated_at", "deleted_at"})


class LeanPages:
    """Mixin for admin classes; it must come before Django's."""

    prepopulated_fields: Any

    change_list_template: Any = "admin/lean_list.html"
    show_full_result_count = False  # a filtered list would also count all rows

    @property
    def media(self) -> Media:
        parent: Any = super()
        whole: Media = parent.media
        if self.prepopulated_fields:
            return whole
        css, scripts = whole._css, whole._js  # type: ignore[attr-defined]  # noqa: SLF001 - Media cannot leave a file out
        return Media(css=css, js=[script for script in scripts if script.rpartition("/")[2] not in _PREPOPULATING])

    def get_fieldsets(self: Any, request: HttpRequest, obj: Any = None) -> Any:
        """A new row has no id and no dates of its own yet."""
        fieldsets = super().get_fieldsets(request, obj)  # type: ignore[misc]  # of ModelAdmin
        if obj is not None:
            return fieldsets
        unset = _RECORDED.intersection(self.get_readonly_fields(request, obj))
        shown = [(title, {**given, "fields": _without(given["fields"], unset)}) for title, given in fieldsets]
        return [(title, given) for title, given in shown if given["fields"]]


def _without(fields: Iterable[Any], unset: Collection[str]) -> tuple[Any, ...]:
    return tuple(name for name in fields if isinstance(name, tuple | list) or name not in unset)
