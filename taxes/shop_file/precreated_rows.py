"""Creates the tax regions and default rates of a file, with their ids, before its regions are loaded.

Loading `tax_rates` of regions creates missing tax regions and rates with new ids. A dump has the same rates in both
sections, so those that have an id in `tax_regions` must exist first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kit.domain.actor import SYSTEM
from kit.editing.changes import Row
from kit.editing.states import RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.shop_file.values import Entry
from taxes.editing import tax_rate_editing, tax_region_editing
from taxes.models import TaxRate, TaxRegion


def create_missing(entries: Iterable[Entry]) -> set[str]:
    """Create what is missing. Returns the ids of new tax regions.

    Invalid objects are skipped: loading them reports the problem.
    """
    named = {entry.given["id"]: entry for entry in entries if {"id", "country_code"} <= entry.given.keys()}
    regions = (
        tax_region_editing.VERBS.state(
            country_id=entry.given["country_code"], province=entry.given.get("province"), **_new(entry.given)
        )
        for entry in named.values()
    )
    made = _make(TaxRegion, tax_region_editing.VERBS, [*regions])
    rates = (
        tax_rate_editing.VERBS.state(
            tax_region_id=pk, name=rate["name"], rate=rate["rate"], is_default=True, **_new(rate)
        )
        for pk in sorted(made)
        for rate in _defaults(named[pk])
    )
    _make(TaxRate, tax_rate_editing.VERBS, [*rates])
    return made


def _make(model: type[Row], verbs: RowVerbs[Any], states: Sequence[RowState]) -> set[str]:
    """Make those of the rows that can be made. Returns their ids."""
    ids = [state.new_id for state in states]
    taken = {*model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)} if ids else set()
    wanted = [state for state in states if state.new_id not in taken]
    try:
        return {edited.row.pk for edited in verbs.put(actor=SYSTEM, states=wanted)} if wanted else set()
    except RowsRefused as refusal:
        refused = {fault.index for fault in refusal.faults}
        return _make(model, verbs, [state for index, state in enumerate(wanted) if index not in refused])


def _defaults(entry: Entry) -> Iterator[Mapping[str, Any]]:
    """The rates that a region states, too."""
    for rate in entry.given.get("rates", ()):
        is_default = rate.given.get("is_default") and not rate.given.get("is_combinable")
        if is_default and {"id", "name", "rate"} <= rate.given.keys():
            yield rate.given


def _new(given: Mapping[str, Any]) -> dict[str, Any]:
    return {"new_id": given["id"], "created_at": given.get("created_at")}
