"""Pickers that search as one types, with a text field for browsers without JavaScript."""

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.admin.utils import unquote
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from unfold.widgets import INPUT_CLASSES

TYPED = "-typed"
"""The name of the text field is that of the picker with this suffix."""
_PAGE = re.compile(r"/([^/]+)/change/?(?:[?#].*)?\Z")


class _WithTextField:
    """Mixin for Django's picker, which without JavaScript offers only the rows that are already chosen.

    The text field takes ids, or the addresses of the rows' pages, which are easier to find.
    """

    template_name: Any = "commerce/searched_rows.html"
    field: Any
    allow_multiple_selected: bool

    def use_required_attribute(self, initial: object) -> bool:
        """Without JavaScript, a required menu without rows would keep the browser from sending the form."""
        return False

    def get_context(self, name: str, value: Any, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
        """Adds the text field. It keeps what was typed but names no row, so that it can be corrected."""
        context: dict[str, Any] = super().get_context(name, value, attrs)  # type: ignore[misc]
        widget, kind = context["widget"], self.field.remote_field.model._meta
        shown = {str(option["value"]) for _, options, _ in widget["optgroups"] for option in options}
        typed = {
            "name": f"{name}{TYPED}",
            "value": " ".join(word for word in widget["value"] if word not in shown),
            "kind": kind.verbose_name_plural if self.allow_multiple_selected else kind.verbose_name,
            "classes": " ".join(INPUT_CLASSES),
        }
        return {**context, "typed": typed}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """What is typed is added to the chosen rows, or replaces the chosen one.

        Of more ids than can be chosen, one too many is kept: the field refuses them, and nobody looks for the others.
        """
        chosen: Any = super().value_from_datadict(data, files, name)  # type: ignore[misc]
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        words = data.get(f"{name}{TYPED}", "").replace(",", " ").split(maxsplit=most + 1)
        keys = [_key(word) for word in words[: most + 1]]
        if not keys:
            return chosen
        return [*chosen, *keys] if self.allow_multiple_selected else " ".join(keys)


class SearchedRow(_WithTextField, AutocompleteSelect):
    """Picks one row."""


class SearchedRows(_WithTextField, AutocompleteSelectMultiple):
    """Picks any number of rows."""


def _key(word: str) -> str:
    page = _PAGE.search(word)
    return unquote(page[1]) if page else word
