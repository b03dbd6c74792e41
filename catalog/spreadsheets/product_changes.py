"""What differs between a product as a file wants it and as it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from catalog.spreadsheets.stored_prices import Terms
from catalog.spreadsheets.stored_products import StoredProduct, StoredVariant
from catalog.spreadsheets.wanted_products import Place, WantedProduct
from catalog.spreadsheets.wanted_variants import WantedVariant
from kit.spreadsheets.declarations import Record
from pictures.finding import address_fault

_UNORDERED = ("tags", "categories", "sales_channels")


@dataclass(slots=True)
class VariantChange:
    """stored: None for a new one, whose id is `id`. values, options, prices, sale: those that differ.

    stock: by location, the quantity to set and the difference to book, one of them None. compared: what is stocked
    where the file says what it should be, also if it is.
    """

    row: int
    stored: StoredVariant | None
    values: dict[str, Any] = field(default_factory=dict)
    options: dict[str, str] | None = None
    prices: dict[Terms, Decimal | None] = field(default_factory=dict)
    sale: dict[str, Decimal | None] = field(default_factory=dict)
    stock: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)
    compared: dict[str, int | None] = field(default_factory=dict)
    id: str = ""

    @property
    def is_nested(self) -> bool:
        """Whether it is written with its product."""
        return self.stored is None or bool(self.values or self.prices) or self.options is not None


@dataclass(slots=True)
class ProductChange:
    """values: attributes of the product that differ. options: all values of options that get new ones, by title.

    compared: stock that the file sets, and prices of the sale, as stored: the version of a product does not have them.
    unfetched: addresses of pictures that are to be fetched first, and where each stands.
    """

    stored: StoredProduct | None
    values: dict[str, Any]
    options: dict[str, list[str]]
    variants: list[VariantChange]
    compared: list[object] = field(default_factory=list)
    unfetched: dict[str, list[Place]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return self.stored is not None and not (self.values or self.options or self.variants or self.unfetched)


def change_of(
    record: Record, wanted: WantedProduct, stored: StoredProduct | None, *, sets_stock: bool
) -> ProductChange:
    """Adds problems to the record. sets_stock: whether stock without an exported one is set, of variants that exist."""
    before = stored.values if stored else {}
    if (text := wanted.values.get("description")) and text != before.get("description"):
        wanted.values["description"] = text.sanitised
    _put_thumbnail(wanted.values, before)
    values = {name: value for name, value in wanted.values.items() if not _same(name, before.get(name), value)}
    if stored is None:
        values = {name: value for name, value in wanted.values.items() if value is not None}
        if not values.get("title"):
            record.refuse("Enter a title: no product has this handle yet.", "title")
    if values.get("thumbnail") == "":
        values["thumbnail"] = None
    _check_addresses(record, values, wanted)
    change = ProductChange(stored, values, {}, [], unfetched=wanted.unfetched)
    taken: dict[str, int] = {}
    for one in wanted.variants:
        found = _matching_variant(record, one, stored, len(wanted.variants))
        if found is not None and taken.setdefault(found.id, one.row) != one.row:
            record.refuse(f"Row {taken[found.id]} is about the same variant. Delete one of the two.", "", one.row)
        made = _variant(record, one, found, sets_stock=sets_stock)
        if found is None:
            made.values.setdefault(
                "title",
                " / ".join(one.options.values()) or str(wanted.values.get("title") or before.get("title") or ""),
            )
            made.options = one.options
        if found is not None:
            change.compared.append((found.id, made.compared, one.sale and sorted(found.sale.items())))
        if made.is_nested or made.sale or made.stock:
            change.variants.append(made)
    _put_options(record, change, wanted.variants)
    return change


def _put_thumbnail(values: dict[str, Any], before: Mapping[str, Any]) -> None:
    """An empty one follows the first image, which is the thumbnail of a new product, unless staff chose another.

    One of "" is to be none.
    """
    if before.get("images") and "thumbnail" in values and values["thumbnail"] is None:
        first = before["images"][0]
        if before["thumbnail"] == first:
            values["thumbnail"] = next(iter(values.get("images", [first])), None)


def _check_addresses(record: Record, values: Mapping[str, Any], wanted: WantedProduct) -> None:
    """Of pictures that the product does not have yet, but for those to fetch: fetching says itself what is wrong."""
    changed = {values.get("thumbnail"), *values.get("images", ())}
    for address, places in wanted.pictures.items():
        if address in changed and address not in wanted.unfetched and (fault := address_fault(address)):
            for place in places:
                record.refuse(fault, *place)


def _same(name: str, before: object, after: object) -> bool:
    if isinstance(before, list) and isinstance(after, Sequence):
        return set(before) == set(after) if name in _UNORDERED else before == [*after]
    return before == after or (before in (None, "") and after in (None, ""))


def _matching_variant(
    record: Record, one: WantedVariant, stored: StoredProduct | None, rows: int
) -> StoredVariant | None:
    """By its id, else by its SKU, else by its options; the only one of a product for its only row."""
    variants = stored.variants if stored else []
    if one.id is not None:
        found = next((each for each in variants if each.id == one.id), None)
        if found is None:
            record.refuse("This product has no variant with this id.", "variant_id", one.row)
        return found
    if sku := one.values.get("sku"):
        for each in variants:
            if each.values["sku"] == sku:
                return each
    if one.options or len(variants) != 1 or rows != 1:
        return next((each for each in variants if each.options == one.options), None)
    return variants[0]


def _variant(record: Record, one: WantedVariant, found: StoredVariant | None, *, sets_stock: bool) -> VariantChange:
    if found is None:
        change = VariantChange(one.row, None, options=one.options)
        change.values = {name: value for name, value in one.values.items() if value is not None}
        change.prices = {terms: amount for terms, amount in one.prices.items() if amount is not None}
        change.sale = {code: amount for code, amount in one.sale.items() if amount is not None}
        change.stock = {key: (quantity, None) for key, (quantity, _) in one.stock.items()}
        return change
    change = VariantChange(one.row, found)
    change.values = {name: value for name, value in one.values.items() if not _same(name, found.values[name], value)}
    if one.options and any(found.options.get(title) != value for title, value in one.options.items()):
        change.options = {**found.options, **one.options}
    change.prices = _differing(found.prices, one.prices)
    change.sale = _differing(found.sale, one.sale)
    if found.item or change.values.get("manage_inventory", found.values["manage_inventory"]):  # else there is none
        _put_stock(record, change, one, found, sets=sets_stock)
    return change


def _put_stock(record: Record, change: VariantChange, one: WantedVariant, found: StoredVariant, *, sets: bool) -> None:
    for location, (quantity, exported) in one.stock.items():
        current = found.levels.get(location)
        if exported is None and sets:
            change.compared[location] = current
            if quantity != current:
                change.stock[location] = (quantity, None)
        elif exported is not None and quantity != exported:
            change.stock[location] = (None, quantity - exported)
            if quantity < exported and quantity - exported < -(current or 0):
                record.refuse(
                    f"Only {max(current or 0, 0)} in stock, so {exported - quantity} cannot be deducted.",
                    "",
                    one.row,
                )
    if change.stock and not found.item:
        record.refuse("This variant has no single inventory item. Change its stock on its page.", "", one.row)


def _differing(
    stored: Mapping[Any, tuple[str, Decimal]], wanted: Mapping[Any, Decimal | None]
) -> dict[Any, Decimal | None]:
    return {key: amount for key, amount in wanted.items() if (stored[key][1] if key in stored else None) != amount}


def _put_options(record: Record, change: ProductChange, variants: Sequence[WantedVariant]) -> None:
    """The options that get values which they do not have yet."""
    has = {title: values for title, (_, values) in change.stored.options.items()} if change.stored else {}
    for one in variants:
        for title, value in one.options.items():
            if value not in has.get(title, ()) and value not in change.options.setdefault(title, [*has.get(title, ())]):
                change.options[title].append(value)
    change.options = {title: values for title, values in change.options.items() if values != has.get(title)}
    titles = {*has, *change.options}
    for made in change.variants:
        if made.stored is None and titles - {*(made.options or ())}:
            missing = ", ".join(sorted(titles - {*(made.options or ())}))
            record.refuse(f"A new variant needs a value for each option. Missing: {missing}.", "", made.row)
