"""One copy of Select2 a page.

Unfold's pickers load its readable files, Django's the minified ones: a page with both would download the library twice
and start it twice.
"""

from unfold import widgets
from unfold.contrib.filters import forms

_READABLE = ("admin/js/vendor/select2/select2.full", "admin/css/vendor/select2/select2")
_LOADING = (
    widgets.UnfoldAdminSelect2Widget,
    widgets.UnfoldAdminSelect2MultipleWidget,
    widgets.AutocompleteWidgetMixin,
    forms.AutocompleteDropdownForm,
    forms.DropdownForm,
)


def use_minified() -> None:
    """Make Unfold's pickers and filters name the same files as Django's."""
    for each in _LOADING:
        media = each.Media
        media.js = tuple(_minified(name, ".js") for name in media.js)
        media.css = {medium: tuple(_minified(name, ".css") for name in names) for medium, names in media.css.items()}


def _minified(name: str, suffix: str) -> str:
    stem = name.removesuffix(suffix)
    return f"{stem}.min{suffix}" if stem in _READABLE else name
