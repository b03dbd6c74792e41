"""Exempting customers and customer groups from taxes, as staff do."""

from collections.abc import Collection, Sequence
from typing import Any

from customers.models import TaxExemption
from kit.domain.absent import ABSENT
from kit.editing.rows import RowEdits
from kit.errors import InvalidData
from kit.values import places

COUNTRIES = "tax_exempt_countries"
EXEMPTION = tuple(field.name for field in TaxExemption._meta.fields)
"""Whether a customer or group is tax-exempt. tax_exempt_countries: codes in any letter case; none for all."""


def check_countries(edits: RowEdits[Any], states: Sequence[Any]) -> None:
    """Normalize country codes, and refuse unknown ones."""
    for index, state in enumerate(states):
        if state.tax_exempt_countries is not ABSENT:
            try:
                edits.change(index, {COUNTRIES: kept_countries(state.tax_exempt_countries)})
            except InvalidData as refusal:
                edits.refuse(index, COUNTRIES, refusal)


def kept_countries(codes: Collection[str] | None) -> list[str] | None:
    """The codes as they are stored. Raises InvalidData, naming the field."""
    return sorted({places.country(code, field=COUNTRIES) for code in codes or ()}) or None
