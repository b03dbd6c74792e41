"""What pages of a screen do without: scripts that it does not use, and counts that nobody asked for."""

from typing import Any

from django.forms import Media

_PREPOPULATING = ("urlify.js", "prepopulate.js", "xregexp.js", "xregexp.min.js")
"""Django's scripts for prepopulated_fields, half of the bytes of a list's scripts."""


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
