"""The variants of products in the shop file, with their options, prices and stock."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from catalog.models import Product, ProductVariant
from catalog.shop_file.inventory import STOCK, Stock, requested_quantities
from catalog.shop_file.measures import MEASURED
from catalog.shop_file.options import Options, ValueIds, report_repeated_options
from catalog.shop_file.part_rows import CODE_FIELDS, VariantRows
from catalog.shop_file.prices import PRICE, OwnPrices, wanted_prices
from catalog.shop_file.selections import Selected, Selection, remaining_selection, report_faults, requested_selection
from kit.editing.children import Key, Links
from kit.shop_file.problems import Problems
from kit.shop_file.sections import Placed
from kit.shop_file.values import Boolean, ByKey, DateTime, Entry, Id, Integer, Metadata, Objects, Text, Value
from kit.values.ids import new_id
from kit.values.text import LONGEST

VARIANT_ID = Id(prefix="variant")
RANK = Integer()
COLUMNS: Mapping[str, Value] = {
    "title": Text(longest=LONGEST, may_be_blank=False),
    **CODE_FIELDS,
    "allow_backorder": Boolean(),
    "manage_inventory": Boolean(),
    "variant_rank": RANK,
    **MEASURED,
    "metadata": Metadata(),
}
VARIANT: Mapping[str, Value] = {
    "id": VARIANT_ID,
    "created_at": DateTime(),
    **COLUMNS,
    **STOCK,
    "options": ByKey(each=Text()),
    "prices": Objects(fields=PRICE),
}
"""The fields of a variant."""


@dataclass(slots=True)
class ParsedVariant:
    """A variant as the file gives it. row: None for a new one. Other fields are None if the file leaves them out."""

    entry: Entry
    row: ProductVariant | None
    pk: str
    selection: Selection | None
    prices: Mapping[Key, Mapping[str, object]] | None
    quantities: Mapping[str, int]


class Variants:
    """The variants of a batch of products, with their options: `put` checks and collects them, `write` writes.

    Variants that a product's list leaves out are not changed.
    """

    def __init__(self, placed: Sequence[Placed[Product]], locations: Sequence[str], problems: Problems) -> None:
        """`locations`: ids of all stock locations."""
        affected = [one for one in placed if "variants" in one.entry.given or "options" in one.entry.given]
        products = [one.row.pk for one in affected if not one.is_new]
        entries = [variant for one in affected for variant in one.entry.given.get("variants", ())]
        self._rows = VariantRows(products, entries)
        stored = [row.pk for row in self._rows.all()]
        self._options = Options(products)
        self._selections = Links(ProductVariant, "options", stored)
        self._prices = OwnPrices(self._rows.all())
        skus = {*(entry.given.get("sku") for entry in entries), *(row.sku for row in self._rows.all())}
        self._stock = Stock(stored, skus=skus)
        self._locations = locations
        self._problems = problems

    def put(self, one: Placed[Product]) -> bool:
        """Apply the product's options and variants. Returns whether anything changes."""
        before, product = self._problems.count, one.row.pk
        old_ids, changes = self._options.ids(product), False
        if "options" in one.entry.given:
            report_repeated_options(one.entry.given["options"], self._problems)
            changes = self._options.put(product, one.entry.given["options"])
        ids = self._options.ids(product)
        parsed = self._parse(one, ids)
        self._check_selections(one, parsed, old_ids, ids)
        if self._problems.count != before:
            one.entry.is_sound = False
            return False
        return any([changes, *(self._put_variant(product, variant) for variant in parsed)])

    def write(self) -> None:
        """Write the changes."""
        self._options.write()
        self._rows.write()
        self._selections.write()
        self._prices.write()
        self._stock.write()

    def _parse(self, one: Placed[Product], ids: ValueIds) -> list[ParsedVariant]:
        parsed: list[ParsedVariant] = []
        entries = one.entry.given.get("variants", ())
        named = self._rows.ids_named(one.row.pk, entries)
        for entry in entries:
            given = entry.given
            selection = requested_selection(entry, ids, self._problems) if "options" in given else None
            if renamed := self._renamed(one.row.pk, entry, selection if ids else {}, named):
                given["id"] = renamed
            row = self._rows.match(one.row.pk, entry, self._problems)
            pk = row.pk if row else given.get("id") or new_id(VARIANT_ID.prefix)
            parsed.append(
                ParsedVariant(
                    entry,
                    row,
                    pk,
                    selection=selection,
                    prices=wanted_prices(given["prices"], self._problems) if "prices" in given else None,
                    quantities=self._quantities(entry, pk, row),
                )
            )
        return parsed

    def _renamed(self, product: str, entry: Entry, selection: Selection | None, named: AbstractSet[str]) -> str | None:
        """The id of the stored variant whose SKU the object adds or changes; None if it does neither.

        It is the one with the same option values, or the same title if the object gives no values.
        named: the ids of the variants that objects name by id or SKU.
        """
        rows = self._rows.of(product).values()
        if "id" in entry.given or not entry.given.get("sku") or any(row.sku == entry.given["sku"] for row in rows):
            return None

        def is_meant(row: ProductVariant) -> bool:
            if selection is None:
                return row.title == entry.given.get("title")
            return {key[0] for key in self._selections.of(row.pk)} == {*selection.values()}

        meant = [row.pk for row in rows if row.pk not in named and is_meant(row)]
        return meant[0] if len(meant) == 1 else None

    def _quantities(self, entry: Entry, pk: str, row: ProductVariant | None) -> Mapping[str, int]:
        quantities = requested_quantities(entry, self._locations, self._problems)
        fault = self._stock.fault(pk, entry.given.get("sku", row.sku if row else None)) if quantities else None
        if fault:
            self._problems.add(
                f"{entry.path}.{'inventory' if 'inventory' in entry.given else 'inventory_quantity'}", fault
            )
        return quantities

    def _check_selections(
        self, one: Placed[Product], parsed: Sequence[ParsedVariant], old_ids: ValueIds, ids: ValueIds
    ) -> None:
        """Checked only if the file changes what is selected or what can be: stored variants are taken as they are."""
        rows = self._rows.of(one.row.pk)
        stored = {row.pk: frozenset(str(key[0]) for key in self._selections.of(row.pk)) for row in rows.values()}
        variants = {
            variant.pk: Selected(f"{variant.entry.path}.options", "", self._final(variant, stored, ids))
            for variant in parsed
        }
        for row in rows.values():
            left = Selected(
                f"{one.entry.path}.options",
                f"the variant '{row.sku or row.title}', which the file does not change, ",
                remaining_selection(stored[row.pk], ids),
            )
            variants.setdefault(row.pk, left)
        selected = {pk: frozenset(variant.selection.values()) for pk, variant in variants.items()}
        if selected != stored or ids.keys() != old_ids.keys():
            report_faults(list(variants.values()), ids, self._problems)

    def _final(self, variant: ParsedVariant, stored: Mapping[str, frozenset[str]], ids: ValueIds) -> Selection:
        if variant.selection is not None:
            return variant.selection
        return remaining_selection(stored.get(variant.pk, frozenset()), ids)

    def _put_variant(self, product: str, variant: ParsedVariant) -> bool:
        given = variant.entry.given
        attributes = {name: given[name] for name in COLUMNS if name in given}
        if variant.row is None:
            last = max((row.variant_rank for row in self._rows.of(product).values()), default=-1)
            if last == RANK.largest and "variant_rank" not in given:
                self._problems.add(f"{variant.entry.path}.variant_rank", f"is required: another variant's is {last}")
                return False
            creation = {"created_at": given["created_at"]} if "created_at" in given else {}
            attributes = {"variant_rank": last + 1, **creation, **attributes}
        changes = self._prices.replace_all(variant.row, variant.prices, attributes)
        changes |= self._rows.put(product, (variant.pk,), attributes)
        if variant.selection is not None:
            changes |= self._selections.link(variant.pk, variant.selection.values())
        row = self._rows.of(product)[variant.pk,]
        return changes | self._stock.put(row, variant.quantities)
