"""Tax regions, as staff maintain them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.soft_deletion import ValueTaken
from kit.editing.changes import Changes
from kit.editing.deletion import Part, delete_rows, restore_rows
from kit.editing.locked_rows import require_deletion, require_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Fault, RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, shown
from kit.values.places import province
from taxes.editing.rate_conflicts import CountryTaxes, countries_of, ids_of, lock_countries, rows_with_ids
from taxes.editing.rate_goods import RateGoods
from taxes.editing.tax_rate_editing import VERBS as RATES
from taxes.models import TaxRate, TaxRateRule, TaxRegion


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxRegionState(RowState):
    """parent_id: at most that of the province's country, which is the parent anyway.

    default_tax_rate: a default rate to create with the tax region, by the columns of rates.
    """

    country_id: object = ABSENT
    province: object = ABSENT
    parent_id: object = ABSENT
    provider_id: object = ABSENT
    default_tax_rate: Mapping[str, object] | None = None
    metadata: object = ABSENT


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[TaxRegion]]:
    """Those of provinces get that of their country."""
    given = {state.country_id for state in states if isinstance(state.country_id, str)}
    countries = given | countries_of(TaxRegion, ids_of(states), "country")
    lock_countries(countries)
    stored = CountryTaxes(countries).regions
    normalised = [_with_code(state, stored.get(state.id or "")) for state in states]
    edits = RowEdits(TaxRegion, [state for state, _ in normalised], actor=actor)
    for index, (_, refusal) in enumerate(normalised):
        if refusal is not None:
            edits.refuse(index, "province", refusal)
    _refuse_moves(edits, stored)
    _refuse_providers(edits, stored)
    of_countries = {row.country_id: row for row in stored.values() if row.province is None}
    _refuse_repeated_countries(edits, of_countries)
    parents = Changes(TaxRegion)
    for index, row in enumerate(edits.rows):
        if edits.is_refused(index):
            continue
        if row.province is not None and row.country_id not in of_countries:
            of_countries[row.country_id] = parents.make(country_id=row.country_id)
        parent_id = None if row.province is None else of_countries[row.country_id].pk
        if states[index].parent_id not in (ABSENT, None, parent_id):
            edits.refuse(index, "parent_id", InvalidData("Field 'parent_id' must be that of the province's country"))
        edits.change(index, {"parent_id": parent_id})
    edited = edits.write()
    parents.write()  # foreign keys are checked at commit
    _create_default_rates(edits.rows, states, actor=actor)
    return edited


def _create_default_rates(rows: Sequence[TaxRegion], states: Sequence[Any], *, actor: Actor) -> None:
    given = [(index, state.default_tax_rate) for index, state in enumerate(states) if state.default_tax_rate]
    rates = [
        RATES.state(tax_region_id=rows[index].pk, is_default=True, merges_metadata=True, **rate)
        for index, rate in given
    ]
    try:
        RATES.put(actor=actor, states=rates) if rates else ()
    except RowsRefused as refusal:
        faults = [Fault(given[each.index][0], f"default_tax_rate.{each.field}", each.error) for each in refusal.faults]
        raise RowsRefused(TaxRegion, faults) from None


def _delete(model: type[TaxRegion], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete tax regions, with the provinces of countries and all rates. Raises NotFound, Forbidden."""
    lock_countries(countries_of(TaxRegion, ids, "country"))
    delete_rows(model, ids, actor=actor, parts=_PARTS)


def _restore(model: type[TaxRegion], ids: Sequence[str], *, actor: Actor) -> None:
    """Restore tax regions and what was deleted with them; what was deleted before stays deleted.

    Raises NotFound, NotDeleted, ParentDeleted, ValueTaken, Forbidden, and Duplicate if a rate has taken a code.
    """
    require_deletion(actor, TaxRegion)
    countries = countries_of(TaxRegion, ids, "country")
    lock_countries(countries)
    taken = {row.country_id for row in CountryTaxes(countries).regions.values() if row.province is None}
    for row in rows_with_ids(TaxRegion, ids).filter(province=None, deleted_at__isnull=False):
        if row.country_id in taken:
            raise ValueTaken(row, "country")
        taken.add(row.country_id)
    restore_rows(model, ids, actor=actor, parts=_PARTS)
    require_parents(TaxRegion.objects.filter(children__in=rows_with_ids(TaxRegion, ids)))
    taxes = CountryTaxes(countries)
    for _, _, error in taxes.conflicts([*taxes.rates.values()], RateGoods([*taxes.rates])):
        raise error


def _with_code(state: Any, stored: TaxRegion | None) -> tuple[Any, InvalidData | None]:
    """The state with the code of its province, or why it has none."""
    if state.province is ABSENT:
        return state, None
    country = stored.country_id if stored is not None else None
    country = state.country_id if isinstance(state.country_id, str) else country
    try:
        code = province(state.province, country_code=country) if state.province else None
    except InvalidData as refusal:
        return replace(state, province=ABSENT), refusal
    return replace(state, province=code), None


def _refuse_moves(edits: RowEdits[TaxRegion], stored: dict[str, TaxRegion]) -> None:
    for index, row in enumerate(edits.rows):
        before = stored.get(row.pk)
        if before is None or edits.is_refused(index):
            continue
        if before.country_id != row.country_id:
            edits.refuse(index, "country", InvalidData("Field 'country_id' of a stored tax region cannot be changed"))
        elif (before.province is None) != (row.province is None):
            of_country = "cannot be set: this is the tax region of a country"
            of_province = "cannot be null: this is the tax region of a province"
            text = of_country if before.province is None else of_province
            edits.refuse(index, "province", InvalidData(f"Field 'province' {text}"))


def _refuse_providers(edits: RowEdits[TaxRegion], stored: dict[str, TaxRegion]) -> None:
    """A stored id is kept even if it is no longer in settings: the shop's own rates apply, and staff see that."""
    for index, row in enumerate(edits.rows):
        before = stored.get(row.pk)
        if row.provider_id is None or edits.is_refused(index) or (before and before.provider_id == row.provider_id):
            continue
        if row.province is not None:
            edits.refuse(
                index, "provider_id", InvalidData("Field 'provider_id' can only be set on the tax region of a country")
            )
        elif row.provider_id not in settings.TAX_PROVIDERS:
            text = f"Field 'provider_id': '{shown(row.provider_id)}' is not in the setting TAX_PROVIDERS"
            edits.refuse(index, "provider_id", InvalidData(text))


def _refuse_repeated_countries(edits: RowEdits[TaxRegion], of_countries: dict[str, TaxRegion]) -> None:
    """Take note of the countries as a whole, and refuse those that have a tax region."""
    for index, row in enumerate(edits.rows):
        is_whole = row.province is None and not edits.is_refused(index)
        if is_whole and of_countries.setdefault(row.country_id, row).pk != row.pk:
            edits.refuse(index, "country", ValueTaken(row, "country"))


_PARTS: Sequence[Part] = [
    (TaxRegion, "parent"),
    (TaxRate, "tax_region"),
    (TaxRate, "tax_region__parent"),
    (TaxRateRule, "tax_rate__tax_region"),
    (TaxRateRule, "tax_rate__tax_region__parent"),
]
VERBS = RowVerbs(
    TaxRegion,
    ("country_id", "province", "provider_id", "metadata"),
    state=TaxRegionState,
    put=_put,
    delete=_delete,
    restore=_restore,
)
"""province: its code, the code's suffix, or its name; None for the country.

provider_id: of the tax provider that carts to the country are taxed by; None for the shop's own rates.
The country of a stored one does not change, and it stays that of a country or that of a province.
"""
