"""Creating and changing regions, any number at once.

The rows are locked: if two regions want the same country, the first one gets it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from shop.models import Region
from shop.regions.default_region import ensure_default_region
from shop.regions.deletion import delete_regions
from shop.regions.region_countries import CountryEdits
from shop.regions.region_taxes import Rates, replace_rates, wanted_rates


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Region]]:
    """The shop's first region becomes the store's default. A country can move between two regions of the batch.

    CountryTaken and TaxRateRepeated are among the faults.
    """
    edits = RowEdits(Region, states, actor=actor)
    rates: dict[str, Mapping[str, Rates]] = {}
    countries = CountryEdits()
    places_of = {row.pk: index for index, row in enumerate(edits.rows)}
    for index, (state, row) in enumerate(zip(states, edits.rows, strict=True)):
        try:
            if state.tax_rates is not ABSENT:
                rates[row.pk] = wanted_rates(state.tax_rates)
        except InvalidData as refusal:
            edits.refuse(index, "tax_rates", refusal)
        try:
            if state.countries is not ABSENT:
                countries.claim(row, {places.country(code, field="countries") for code in state.countries})
        except InvalidData as refusal:
            edits.refuse(index, "countries", refusal)
    for region_id, taken in countries.put():
        edits.refuse(places_of[region_id], "countries", taken)
    for region_id in countries.changed & places_of.keys():
        edits.note_change(places_of[region_id])
    edited = edits.write()
    countries.write()
    ensure_default_region()
    changed = replace_rates(rates) if rates else ()
    return [replace(each, is_changed=each.is_changed or each.row.pk in changed) for each in edited]


VERBS = RowVerbs(
    Region,
    (
        *("name", "currency_id", "countries", "tax_rate", "tax_rates"),
        *("is_tax_inclusive", "payment_providers", "metadata"),
    ),
    extras=("countries", "tax_rates"),
    put=_put,
    delete=delete_regions,
    restore=restore_rows,
)
"""The collections replace what is stored.

countries: ISO 3166-1 alpha-2. tax_rate: percent, where no rate of a tax region applies. tax_rates: the rates of the
countries for all goods (shop/regions/region_taxes.py). is_tax_inclusive: whether prices for the region include tax.
"""
