"""The spreadsheet of prices: a row for each variant and price list, with a column for each currency and region."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q

from catalog.models import Price, PriceList, Product, ProductVariant
from catalog.prices import listed_prices, price_editing, price_sets
from catalog.prices.price_editing import PriceState
from catalog.products.product_details import checked_amount
from catalog.rule_attributes import REGION
from catalog.spreadsheets.price_columns import PriceColumns, price_field
from catalog.spreadsheets.price_regions import Terms
from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_prices import Amounts, stored_prices
from catalog.states import RuleOperator
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.spreadsheets.columns import AMOUNT, Column, Columns
from kit.spreadsheets.declarations import Importer, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, values_of, version_of

_NONE: Amounts = {}
_NO_VARIANT = {"sku": "No variant has this SKU.", "variant_id": "No variant has this id."}


@dataclass(frozen=True, slots=True)
class _Place:
    """list_id: None for prices outside price lists."""

    variant: ProductVariant
    list_id: str | None


@dataclass(frozen=True, slots=True)
class _Change:
    """wanted: the amounts that differ, None for a price to delete."""

    place: _Place
    stored: Amounts
    wanted: Mapping[Terms, Decimal | None]


class PriceImporter(Importer):
    """Finds variants by id or SKU. Prices for quantities or with other rules than a region stay as they are."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        self._references = References()
        self._columns = PriceColumns(self._references)

    def lock(self, ids: Sequence[str]) -> None:
        """What other writers of their prices lock: lists, products, prices. All lists: rows may add prices to any."""
        of_variants = Price.objects.not_deleted().filter(price_set__variant__in=ids)
        if "price_list" in self.fields:
            lock_rows(PriceList.objects.not_deleted().only("pk"))
        lock_rows(Product.objects.filter(variants__in=ids).only("pk"))
        lock_rows(of_variants.only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        rows = [values_of(record) for record in records]
        named = {text for row in rows for text in (row.get("variant_id"), row.get("sku")) if text}
        variants = ProductVariant.objects.not_deleted().filter(Q(pk__in=named) | Q(sku__in=named))
        known = {key: one for one in variants for key in (("variant_id", one.pk), ("sku", one.sku))}
        places = [self._place(*each, known) for each in zip(records, rows, strict=True)]
        refuse_repeated(records, [place and (place.variant.pk, place.list_id) for place in places])
        stored = stored_prices({place.variant.pk for place in places if place})
        return [
            self._planned(record, row, place, stored.get((place.variant.pk, place.list_id), _NONE) if place else _NONE)
            for record, row, place in zip(records, rows, places, strict=True)
        ]

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        changes: list[_Change] = [one.change for one in planned]
        with reported():
            gone = [
                change.stored[terms][0]
                for change in changes
                for terms, amount in change.wanted.items()
                if amount is None
            ]
            if gone:
                price_editing.VERBS.delete(actor=self.actor, ids=gone)
            listed = [*_written([change for change in changes if change.place.list_id], _listed)]
            if listed:
                listed_prices.VERBS.put_inside(actor=self.actor, states=listed)
            self._put_base([change for change in changes if not change.place.list_id])
        return [Written(change.place.variant.pk, [self._taken_back(change)]) for change in changes]

    def _put_base(self, changes: Sequence[_Change]) -> None:
        without = [change.place.variant.pk for change in changes if not change.place.variant.price_set_id]
        sets = price_sets.of_variants(without) if without else {}

        def state(place: _Place, terms: Terms, amount: Decimal) -> PriceState:
            price_set = place.variant.price_set_id or sets[place.variant.pk]
            rules = {(REGION, RuleOperator.EQUAL.value): terms[1]} if terms[1] else {}
            return PriceState(price_set_id=price_set, currency_id=terms[0], amount=amount, rules=rules)

        if states := [*_written(changes, state)]:
            price_editing.VERBS.put_inside(actor=self.actor, states=states)

    def _place(
        self, record: Record, row: Values, known: Mapping[tuple[str, str | None], ProductVariant]
    ) -> _Place | None:
        field = "variant_id" if row.get("variant_id") else "sku"
        variant = known.get((field, row.get(field) or None))
        if variant is None:
            record.refuse(_NO_VARIANT[field] if row.get(field) else "Enter a SKU or a variant id.", field)
        with Refusing(record, "price_list"):
            name = row.get("price_list")
            list_id = self._references.id("price_list", name) if name else None
            return _Place(variant, list_id) if variant else None
        return None

    def _planned(self, record: Record, row: Values, place: _Place | None, stored: Amounts) -> Planned:
        if place is None:
            return Planned(record, str(row.get("sku") or row.get("variant_id") or record.number))
        wanted = {}
        for field, amount in row.items():
            stem, _, part = field.partition(":")
            if stem != "price":
                continue
            with Refusing(record, field):
                terms = self._columns.terms(part)
                if amount is not None:
                    checked_amount(amount, terms[0])
                if amount != (stored[terms][1] if terms in stored else None):
                    wanted[terms] = amount
        version = version_of(sorted(stored.items(), key=str))
        label = place.variant.sku or place.variant.title
        if place.list_id:
            label += f" in {self._references.name('price_list', place.list_id)}"
        return Planned(record, label, place.variant.pk, version, bool(wanted), _Change(place, stored, wanted))

    def _taken_back(self, change: _Change) -> Values:
        """With every price column of the file: an empty cell of a column that only other rows change would delete."""
        columns = [self._columns.terms(field.partition(":")[2]) for field in self.fields if field.startswith("price:")]
        before = {terms: change.stored[terms][1] if terms in change.stored else None for terms in columns}
        return row_of(change.place.variant, change.place.list_id, before, self._references)


class PriceSpreadsheet(Spreadsheet):
    """Each variant has a row without a list; each list has one of each of its variants."""

    key = "prices"
    title = "Prices"
    importing = ("catalog.add_price", "catalog.change_price", "catalog.delete_price")
    exporting = ("catalog.view_price",)
    importer = PriceImporter
    columns = Columns(
        (
            Column("variant_id", "Variant Id"),
            Column("sku", "Variant SKU", aliases=("SKU",)),
            Column("price_list", "Price List", aliases=("Price List Id", "Price List Title")),
            Column("price:", "Price {}", AMOUNT, ("Variant Price {}",)),
        )
    )

    def key_of(self, values: Values) -> str:
        variant = values.get("variant_id") or values.get("sku")
        return f"{variant}\0{values.get('price_list') or ''}" if variant else ""

    def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
        references = References()
        for batch in batches_of(ProductVariant.objects.visible_to(actor)):
            stored = stored_prices({variant.pk for variant in batch})
            lists: dict[str, set[str]] = defaultdict(set)
            for variant_id, list_id in stored:
                lists[variant_id] |= {list_id} if list_id else set()
            for variant in batch:
                for list_id in (None, *sorted(lists[variant.pk])):
                    amounts = stored.get((variant.pk, list_id), _NONE)
                    plain = {terms: amount for terms, (_, amount) in amounts.items()}
                    yield [row_of(variant, list_id, plain, references)]


def row_of(
    variant: ProductVariant, list_id: str | None, amounts: Mapping[Terms, Decimal | None], references: References
) -> Values:
    """A row of a file."""
    name = references.name("price_list", list_id) if list_id else None
    prices = {price_field(terms, references): amount for terms, amount in amounts.items()}
    return {"variant_id": variant.pk, "sku": variant.sku, "price_list": name, **prices}


def _written(changes: Sequence[_Change], new: Any) -> Iterator[Any]:
    """A state for each price that is not deleted. new: makes that of a new one."""
    for change in changes:
        for terms, amount in change.wanted.items():
            if amount is None:
                continue
            if terms not in change.stored:
                yield new(change.place, terms, amount)
            else:
                state = listed_prices.VERBS.state if change.place.list_id else PriceState
                yield state(id=change.stored[terms][0], amount=amount)


def _listed(place: _Place, terms: Terms, amount: Decimal) -> Any:
    rules = {REGION: terms[1]} if terms[1] else {}
    return listed_prices.VERBS.state(
        price_list_id=place.list_id,
        variant_id=place.variant.pk,
        currency_code=terms[0],
        amount=amount,
        rules=rules,
    )


PRICES = PriceSpreadsheet()
