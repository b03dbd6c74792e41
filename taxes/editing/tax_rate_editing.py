"""Tax rates with what they are for, as staff maintain them.

Tax lines are copies: carts take what changed with their next refresh, and placed orders keep theirs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing_rows
from kit.domain.soft_deletion import ParentDeleted
from kit.editing.children import Key
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.locked_rows import require_deletion
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from taxes.editing.rate_conflicts import CountryTaxes, countries_of, ids_of, lock_countries, rows_with_ids
from taxes.editing.rate_goods import KINDS, NamedGoods, RateGoods
from taxes.editing.rate_validation import fault
from taxes.models import TaxRate, TaxRateRule, TaxRegion

_COUNTRY = "tax_region__country"


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[TaxRate]]:
    regions = {state.tax_region_id for state in states if isinstance(state.tax_region_id, str)}
    countries = countries_of(TaxRegion, regions, "country") | countries_of(TaxRate, ids_of(states), _COUNTRY)
    lock_countries(countries)
    taxes = CountryTaxes(countries)
    edits = RowEdits(TaxRate, states, actor=actor)
    goods = RateGoods([*taxes.rates])
    changed = _put_goods(edits, states, goods)
    for index, row in enumerate(edits.rows):
        stored, place = taxes.rates.get(row.pk), taxes.regions.get(row.tax_region_id)
        if stored is not None and stored.tax_region_id != row.tax_region_id:
            edits.refuse(index, "tax_region", InvalidData("Field 'tax_region_id' of a stored rate cannot be changed"))
        elif place is not None and not edits.is_refused(index):
            terms = {"is_default": row.is_default, "is_combinable": row.is_combinable}
            problem = fault(**terms, is_of_province=place.province is not None, has_goods=bool(goods.of(row.pk)))
            if problem:
                edits.refuse(index, problem[0], InvalidData(problem[1]))
        if index in changed:
            edits.note_change(index)
    places = {row.pk: index for index, row in enumerate(edits.rows)}
    for row, field, error in taxes.conflicts(edits.rows, goods):
        edits.refuse(places[row.pk], field, error)
    if not edits.faults:
        _unset_former_defaults(edits.rows, taxes.rates)
    edited = edits.write()
    goods.write()
    return edited


def _delete(model: type[TaxRate], ids: Sequence[str], *, actor: Actor) -> None:
    lock_countries(countries_of(TaxRate, ids, _COUNTRY))
    delete_rows(model, ids, actor=actor, parts=_PARTS)


def _restore(model: type[TaxRate], ids: Sequence[str], *, actor: Actor) -> None:
    """Restore rates with what they are for.

    Raises NotFound, NotDeleted, ParentDeleted, Forbidden, and Duplicate if another rate has taken their place.
    """
    require_deletion(actor, TaxRate)
    countries = countries_of(TaxRate, ids, _COUNTRY)
    lock_countries(countries)
    taxes = CountryTaxes(countries)
    rows = [*rows_with_ids(TaxRate, ids).filter(deleted_at__isnull=False).select_related("tax_region")]
    for row in rows:
        if row.tax_region.deleted_at is not None:
            raise ParentDeleted(row.tax_region)
    for _, _, error in taxes.conflicts(rows, RateGoods([*taxes.rates, *(row.pk for row in rows)])):
        raise error
    restore_rows(model, ids, actor=actor, parts=_PARTS)


def _put_goods(edits: RowEdits[TaxRate], states: Sequence[Any], goods: RateGoods) -> set[int]:
    """Set the goods of the rates, without writing them. Returns the indexes of changed rates."""
    wanted = [_goods_by_field(state) for state in states]
    stored = {key for row in edits.rows for key in goods.of(row.pk)}
    of_all = NamedGoods(stored.union(*(keys for of_state in wanted for keys in of_state.values())))
    changed = set()
    for index, (row, of_state) in enumerate(zip(edits.rows, wanted, strict=True)):
        before, after = {*goods.of(row.pk)}, {*goods.of(row.pk)}
        for field, keys in of_state.items():
            unknown = sorted(str(key[1]) for key in keys - before if not of_all.has(key))
            if unknown:
                named = field if states[index].rules is ABSENT else "rules"
                edits.refuse(index, named, InvalidData(missing_rows(KINDS[field].model, *unknown, field=named)))
            left = {key for key in before if key[0] == KINDS[field].reference and (row.is_default or of_all.has(key))}
            after = after - left | keys
        if not edits.is_refused(index) and goods.put_only(row.pk, after):
            changed.add(index)
    return changed


def _goods_by_field(state: Any) -> Mapping[str, set[Key]]:
    """The goods that the state gives, by field."""
    given = state.given_values()
    if "rules" in given:
        rules = {(rule["reference"], rule["reference_id"]) for rule in state.rules}
        return {field: {key for key in rules if key[0] == kind.reference} for field, kind in KINDS.items()}
    return {
        field: {(kind.reference.value, key) for key in getattr(state, field)}
        for field, kind in KINDS.items()
        if field in given
    }


def _unset_former_defaults(rows: Sequence[TaxRate], stored: Mapping[str, TaxRate]) -> None:
    """Unset former defaults first: the constraint forbids two defaults even within the statement that swaps them."""
    former = [row.pk for row in rows if not row.is_default and row.pk in stored and stored[row.pk].is_default]
    if former:
        TaxRate.objects.filter(pk__in=former).update(is_default=False)


_PARTS = [(TaxRateRule, "tax_rate")]
VERBS = RowVerbs(
    TaxRate,
    ("tax_region_id", "name", "code", "rate", "is_default", "is_combinable", *KINDS, "rules", "metadata"),
    extras=(*KINDS, "rules"),
    put=_put,
    delete=_delete,
    restore=_restore,
)
"""rate: percent. code: of the tax lines; None for the place's. The tax region of a stored rate cannot be changed.

products, product_types, shipping_options: ids of what it is for, none for a default. Deleted ones are kept.
rules: all of them in one list of {reference, reference_id}, in the place of the three.
"""
