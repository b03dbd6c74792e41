"""Creating, changing and deleting regions, any number at once.

The rows are locked: if two regions want the same country, the first one gets it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.uses import require_unused
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from kit.values.timestamps import now
from shop.models import Country, Region
from shop.regions.default_region import ensure_default_region
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


def _delete(model: type[Region], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete regions; their countries are free for others.

    Raises RowInUse for the default region and for regions with carts or orders, NotFound, Forbidden.
    """
    delete_rows(model, ids, actor=actor, check=partial(require_unused, but=(Country,)))
    Country.objects.filter(region__in=ids).update(region=None, updated_at=now())


VERBS = RowVerbs(
    Region,
    (
        *("name", "currency_id", "countries", "tax_rate", "tax_rates"),
        *("is_tax_inclusive", "payment_providers", "metadata"),
    ),
    extras=("countries", "tax_rates"),
    put=_put,
    delete=_delete,
    restore=restore_rows,
)
"""The collections replace what is stored.

countries: ISO 3166-1 alpha-2. tax_rate: percent, where no rate of a tax region applies. tax_rates: the rates of the
countries for all goods (shop/regions/region_taxes.py). is_tax_inclusive: whether prices for the region include tax.
"""
