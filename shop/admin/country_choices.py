"""Countries in forms: by name, those that the shop sells to first."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.values.places import COUNTRIES, country_code_of, country_name
from shop.models import Country

Choice = tuple[str, str]


def sold_and_other_countries() -> tuple[list[Choice], list[Choice]]:
    """The choices by name: the countries of regions, and all others. One statement."""
    rows = list(Country.objects.order_by("display_name").values_list("pk", "display_name", "region"))
    sold = [(code, name) for code, name, region in rows if region is not None]
    return sold, [(code, name) for code, name, region in rows if region is None]


def grouped_countries() -> list[Any]:
    """The choices of a menu. One statement."""
    sold, others = sold_and_other_countries()
    return [("", "—"), ("Countries of the shop", sold), ("All others", others)]


class CountryInput(UnfoldAdminTextInputWidget):  # type: ignore[misc]
    """A text for which the browser suggests names of countries. first: codes of those that come first.

    The rows of a table share the suggestions of its row for new ones.
    """

    def __init__(self, first: Iterable[str] = ()) -> None:
        super().__init__(attrs={"list": "countries", "autocomplete": "off"})
        self.first = tuple(first)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        shown = super().render(name, value, attrs, renderer)
        is_stored_row = "-" in name and "__prefix__" not in name
        return shown if is_stored_row else format_html("{}{}", shown, _suggestions(self.first))


class CountryField(forms.CharField):
    """A country, by its name or code. Any other text is left to the verb."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"widget": CountryInput, "required": False, "empty_value": None, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        return country_name(value) if isinstance(value, str) else value

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return (country_code_of(text) or text) if text else text

    def has_changed(self, initial: Any, data: Any) -> bool:
        return not self.disabled and bool(self.to_python(initial) != self.to_python(data))


@cache
def _suggestions(first: tuple[str, ...]) -> str:
    names = sorted(map(country_name, COUNTRIES))
    ordered = dict.fromkeys([*map(country_name, first), *names])
    return format_html(
        '<datalist id="countries">{}</datalist>',
        format_html_join("", '<option value="{}">', ((one,) for one in ordered)),
    )
