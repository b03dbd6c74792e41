"""Form fields for units of lines, and texts about units."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.admin.forms.amount_fields import CountField
from kit.errors import MOST_NAMED
from orders.models import OrderAddress


def units_field(*, label: str, of: str, initial: int, most: int, refusal: str) -> CountField:
    """A number of units, at least 0. of: what is counted, for screen readers. refusal: shown for more than `most`."""
    widget = UnfoldAdminTextInputWidget(attrs={"aria-label": f"{label}: {of}"})
    field = CountField(label=label, min_value=0, required=False, initial=initial, widget=widget)
    field.validators.append(MaxValueValidator(most, refusal))
    return field


def given_units(form: forms.Form, prefix: str, keys: Iterable[str]) -> Mapping[str, int]:
    """The submitted (or initial) units by key, without zeros."""
    values: dict[str, Any] = {key: _value(form, f"{prefix}{key}") for key in keys}
    return {key: number for key, number in values.items() if number}


def listed(texts: Iterable[str]) -> str:
    """`3 x Mug, 2 x Tea and 4 more`."""
    named = list(texts)
    more = [f"{len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    named = named[:MOST_NAMED] + more
    return " and ".join([*([", ".join(named[:-1])] if len(named) > 1 else []), *named[-1:]])


def _value(form: forms.Form, name: str) -> int:
    if form.is_bound:
        return form.cleaned_data.get(name) or 0 if hasattr(form, "cleaned_data") else 0
    return int(form.fields[name].initial or 0)


def addressed(address: OrderAddress | None) -> str:
    """`Ann Lee, 1 Elm, New York, United States`; "" for no address."""
    if address is None:
        return ""
    name = " ".join(filter(None, (address.first_name, address.last_name)))
    return ", ".join(filter(None, (name, str(address))))
