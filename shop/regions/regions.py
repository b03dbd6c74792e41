"""Creating and changing regions, any number at once.

The rows are locked: if two regions want the same country, the first one gets it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.db import transaction

from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values import places
from kit.values.metadata import Metadata
from shop.models import Region
from shop.regions.default_region import ensure_default_region
from shop.regions.region_countries import CountryEdits
from shop.regions.region_taxes import Rate, Rates, replace_rates, wanted_rates


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionState(RowState):
    """The desired state of a region. The collections replace what is stored.

    countries: ISO 3166-1 alpha-2. tax_rate: percent, where no rate of a tax region applies. tax_rates: the rates of the
    countries for all goods (shop/regions/region_taxes.py). is_tax_inclusive: whether prices for the region include tax.
    """

    name: str | Absent = ABSENT
    currency_id: str | Absent = ABSENT
    countries: Collection[str] | Absent = ABSENT
    tax_rate: Decimal | Absent = ABSENT
    tax_rates: Sequence[Rate] | Absent = ABSENT
    is_tax_inclusive: bool | Absent = ABSENT
    payment_providers: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[RegionState]) -> list[Edited[Region]]:
    """Create and change regions: all of them, or none. The shop's first becomes the store's default.

    A country can move between two regions of the batch. Raises NotFound, RowsRefused (with CountryTaken and
    TaxRateRepeated among the faults), Forbidden.
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


VERBS = RowVerbs(state=RegionState, put=put)
