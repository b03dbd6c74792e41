"""The rates of tax regions in the shop file, with what they are for."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from django.db.models import Prefetch, QuerySet

from kit.domain.actor import SYSTEM
from kit.editing.states import RowsRefused, RowState
from kit.shop_file.named_children import NamedChildren
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry, written
from kit.values.json import JSON
from kit.values.timestamps import isoformat
from taxes.editing.rate_goods import KINDS, with_existing_goods
from taxes.editing.tax_rate_editing import VERBS
from taxes.models import TaxRate, TaxRateRule
from taxes.shop_file.rate_fields import GOODS, OPTIONS


class RateRows(NamedChildren[TaxRate]):
    """The rates of tax regions but for those whose goods are all gone, which a file cannot name."""

    model = TaxRate
    parent = "tax_region_id"
    names_repeat = True

    def stored(self, parents: Collection[Hashable]) -> QuerySet[TaxRate]:
        return with_existing_goods(super().stored(parents))


class Rates:
    """The rates of a batch of tax regions; what a list does not name is deleted."""

    def __init__(self, regions: Collection[str], entries: Sequence[Entry], problems: Problems) -> None:
        """`regions`: ids of those that are stored; `entries`: all objects of rates."""
        self._problems = problems
        self._rows = RateRows(regions, entries)
        self._states: list[RowState] = []
        self._entries: list[tuple[str, Entry]] = []
        self._gone: list[str] = []

    def put_only(self, region: str, entries: Sequence[Entry]) -> bool:
        """Make these the tax region's rates. Returns whether that deletes any."""
        kept = set()
        for entry in entries:
            row = self._rows.match(region, entry, self._problems)
            if row is None and "rate" not in entry.given:
                self._problems.add(f"{entry.path}.rate", "is required")
            given = {name: value for name, value in entry.given.items() if name not in ("id", "created_at")}
            identity: dict[str, object] = {"id": row.pk} if row else {**_identity(entry), "tax_region_id": region}
            self._states.append(VERBS.state(**identity, **given))
            self._entries.append((region, entry))
            kept |= {row.pk} if row else set()
        gone = [row.pk for row in self._rows.of(region).values() if row.pk not in kept]
        self._gone += gone
        return bool(gone)

    def write(self) -> set[str]:
        """Write all rates, and report what is refused. Returns the ids of the tax regions that this changes."""
        try:
            VERBS.delete(actor=SYSTEM, ids=self._gone)
            edited = VERBS.put(actor=SYSTEM, states=self._states)
        except RowsRefused as refusal:
            for fault in refusal.faults:
                path = self._entries[fault.index][1].path
                self._problems.add(f"{path}.{fault.field}" if fault.field else path, fault.error.message)
            return set()
        return {region for (region, _), one in zip(self._entries, edited, strict=True) if one.is_changed}


def rates_of(regions: Collection[str]) -> Mapping[str, list[JSON]]:
    """The rates of each tax region as objects of the file."""
    rules = Prefetch("rules", TaxRateRule.objects.not_deleted())
    rates = [*with_existing_goods(TaxRate.objects.not_deleted().filter(tax_region__in=regions)).prefetch_related(rules)]
    names = _names(rates)
    found: dict[str, list[JSON]] = {region: [] for region in regions}
    for rate in sorted(rates, key=lambda each: each.pk):
        found[rate.tax_region_id].append(
            {
                "id": rate.pk,
                "name": rate.name,
                "code": rate.code,
                "rate": written(rate.rate),
                "is_default": rate.is_default,
                "is_combinable": rate.is_combinable,
                **{field: [*sorted(_names_of_goods(rate, field, names[field]))] for field in KINDS},
                "metadata": rate.metadata,
                "created_at": isoformat(rate.created_at),
            }
        )
    return found


def _names(rates: Sequence[TaxRate]) -> Mapping[str, Mapping[str, str]]:
    """The names of all goods, by field and id; without those that are deleted."""
    names = {}
    for field, kind in KINDS.items():
        ids = {rule.reference_id for rate in rates for rule in rate.rules.all() if rule.reference == kind.reference}
        target = GOODS[field]
        rows = target.rows().filter(pk__in=ids).values_list("pk", target.name)
        names[field] = OPTIONS.names(ids) if target is OPTIONS else dict(rows)
    return names


def _names_of_goods(rate: TaxRate, field: str, names: Mapping[str, str]) -> Iterator[str]:
    of_kind = (rule.reference_id for rule in rate.rules.all() if rule.reference == KINDS[field].reference)
    return (names[key] for key in of_kind if key in names)


def _identity(entry: Entry) -> dict[str, object]:
    given = {"new_id": entry.given.get("id"), "created_at": entry.given.get("created_at")}
    return {name: value for name, value in given.items() if value is not None}
