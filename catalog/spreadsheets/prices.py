"""The spreadsheet of prices: a row for each variant and price list, with a column for each currency and region."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from catalog.models import Price, PriceList, Product, ProductVariant
from catalog.prices import listed_prices, price_editing, price_sets
from catalog.prices.price_editing import PriceState
from catalog.products.product_details import checked_amount
from catalog.rule_attributes import REGION
from catalog.spreadsheets.named_goods import named_goods
from catalog.spreadsheets.price_columns import PriceColumns, price_field
from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_prices import Amounts, Terms, stored_prices
from catalog.states import RuleOperator
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import reported
from kit.spreadsheets.columns import AMOUNT, Column, Columns
from kit.spreadsheets.declarations import Importer, Options, Planned, Record, Spreadsheet, Values, Written
from kit.spreadsheets.single_rows import Refusing, batches_of, refuse_repeated, values_of, version_of


@dataclass(frozen=True, slots=True)
class _Place:
    """list_id: None for prices outside price lists."""

    variant: ProductVariant
    list_id: str | None


@dataclass(frozen=True, slots=True)
class _Price:
    """id: None for a new one. amount: None for one to delete."""

    place: _Place
    terms: Terms
    id: str | None
    amount: Decimal | None


@dataclass(frozen=True, slots=True)
class _Change:
    """prices: those that differ."""

    place: _Place
    stored: Amounts
    prices: Sequence[_Price]


class PriceImporter(Importer):
    """Finds variants by id or SKU. Prices for quantities or with other rules than a region stay as they are."""

    def __init__(self, fields: Collection[str], options: Options, actor: Actor) -> None:
        super().__init__(fields, options, actor)
        self._references = References()
        self._columns = PriceColumns(self._references, PriceSpreadsheet.columns, self.fields)

    def lock(self, ids: Sequence[str]) -> None:
        """Lock price lists, products and prices, in the order of all other writers. All lists: a row may add to any."""
        of_variants = Price.objects.not_deleted().filter(price_set__variant__in=ids)
        if "price_list" in self.fields:
            lock_rows(PriceList.objects.not_deleted().only("pk"))
        lock_rows(Product.objects.filter(variants__in=ids).only("pk"))
        lock_rows(of_variants.only("pk"))

    def plan(self, records: Sequence[Record]) -> list[Planned]:
        rows = [values_of(record) for record in records]
        variants = named_goods(ProductVariant, "variant", "variant_id", records, rows)
        places = [self._place(*each) for each in zip(records, rows, variants, strict=True)]
        stored = stored_prices({place.variant.pk for place in places if place})
        planned = [
            self._planned(record, row, place, stored[place.variant.pk, place.list_id])
            if place
            else Planned(record, str(row.get("sku") or row.get("variant_id") or record.number))
            for record, row, place in zip(records, rows, places, strict=True)
        ]
        refuse_repeated(records, [place and (place.variant.pk, place.list_id) for place in places], self.claimed)
        return planned

    def write(self, planned: Sequence[Planned]) -> list[Written]:
        changes: list[_Change] = [one.change for one in planned]
        prices = [price for change in changes for price in change.prices]
        kept = [price for price in prices if price.amount is not None]
        with reported():
            if gone := [str(price.id) for price in prices if price.amount is None]:
                price_editing.VERBS.delete(actor=self.actor, ids=gone)
            if listed := [_listed(price) for price in kept if price.place.list_id]:
                listed_prices.VERBS.put_inside(actor=self.actor, states=listed)
            if base := [price for price in kept if not price.place.list_id]:
                self._put_base(base)
        return [Written(change.place.variant.pk, [self._undo_rows(change)]) for change in changes]

    def _put_base(self, prices: Sequence[_Price]) -> None:
        variants = [price.place.variant for price in prices]
        without = {variant.pk for variant in variants if not variant.price_set_id}
        sets = price_sets.of_variants([*without]) if without else {}
        states = []
        for price, variant in zip(prices, variants, strict=True):
            given: dict[str, Any] = {"id": price.id, "amount": price.amount}
            if price.id is None:
                currency, region = price.terms
                rules = {(REGION, RuleOperator.EQUAL.value): region} if region else {}
                price_set = variant.price_set_id or sets[variant.pk]
                given |= {"price_set_id": price_set, "currency_id": currency, "rules": rules}
            states.append(PriceState(**given))
        price_editing.VERBS.put_inside(actor=self.actor, states=states)

    def _place(self, record: Record, row: Values, variant: ProductVariant | None) -> _Place | None:
        with Refusing(record, "price_list"):
            name = row.get("price_list")
            list_id = self._references.id("price_list", name) if name else None
            return _Place(variant, list_id) if variant else None
        return None

    def _planned(self, record: Record, row: Values, place: _Place, stored: Amounts) -> Planned:
        prices = []
        for field, amount in row.items():
            if not field.startswith("price:"):
                continue
            with Refusing(record, field):
                terms = self._columns.terms(field)
                if amount is not None:
                    checked_amount(amount, terms[0])
                key, before = stored.get(terms, (None, None))
                if amount != before:
                    prices.append(_Price(place, terms, key, amount))
        version = version_of(sorted(stored.items(), key=str))
        label = place.variant.sku or place.variant.title
        if place.list_id:
            label += f" in {self._references.name('price_list', place.list_id)}"
        return Planned(record, label, place.variant.pk, version, bool(prices), _Change(place, stored, prices))

    def _undo_rows(self, change: _Change) -> Values:
        """With every price column of the file: an empty cell of a column that only other rows change would delete."""
        columns = [self._columns.terms(field) for field in self.fields if field.startswith("price:")]
        before = {terms: change.stored[terms][1] if terms in change.stored else None for terms in columns}
        return _row(change.place.variant, change.place.list_id, before, self._references)


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
            variants = {variant.pk: variant for variant in batch}
            stored = stored_prices(variants.keys())
            places = {(key, None) for key in variants} | stored.keys()
            for key, list_id in sorted(places, key=lambda place: (place[0], place[1] or "")):
                amounts = {terms: amount for terms, (_, amount) in stored[key, list_id].items()}
                yield [_row(variants[key], list_id, amounts, references)]


def _row(
    variant: ProductVariant, list_id: str | None, amounts: Mapping[Terms, Decimal | None], references: References
) -> Values:
    """A row of a file."""
    name = references.name("price_list", list_id) if list_id else None
    prices = {price_field(terms, references): amount for terms, amount in amounts.items()}
    return {"variant_id": variant.pk, "sku": variant.sku, "price_list": name, **prices}


def _listed(price: _Price) -> Any:
    """The state of a price in a price list."""
    state = listed_prices.VERBS.state
    if price.id:
        return state(id=price.id, amount=price.amount)
    currency, region = price.terms
    return state(
        price_list_id=price.place.list_id,
        variant_id=price.place.variant.pk,
        currency_code=currency,
        amount=price.amount,
        rules={REGION: region} if region else {},
    )


PRICES = PriceSpreadsheet()
