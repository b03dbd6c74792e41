"""What the rows of a file say of one product, in the words of the catalogue."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from catalog.handles import handle_of, normalized
from catalog.products.product_details import checked_amount
from catalog.tables.price_columns import PriceColumns
from catalog.tables.product_columns import KEPT, MANY, ONE, PRODUCT, VARIANT
from catalog.tables.references import References
from catalog.tables.stored_products import Terms
from kit.errors import DomainError, InvalidData
from kit.tables.tables import Options, Record, Values

_OF_VARIANTS = ("option_value:", "price:", "sale_price:", "stock:", "stock_exported:")
_DEFAULT = {"Title": "Default Title"}
"""How Shopify writes that a product has no options."""


@dataclass(slots=True)
class WantedVariant:
    """row: its number. values: by attribute. prices, sale: None for a price that is to be removed.

    stock: by location, the quantity, and the one that was exported, if the file says.
    """

    row: int
    id: str | None
    values: dict[str, Any]
    options: dict[str, str] = field(default_factory=dict)
    prices: dict[Terms, Decimal | None] = field(default_factory=dict)
    sale: dict[str, Decimal | None] = field(default_factory=dict)
    stock: dict[str, tuple[int, int | None]] = field(default_factory=dict)


@dataclass(slots=True)
class WantedProduct:
    """values: as of a StoredProduct, of fields that the file has; New in the place of ids of labels to create.

    written_handle: as the file has it, before it became one that a URL can hold.
    """

    id: str | None
    written_handle: str | None
    values: dict[str, Any]
    variants: list[WantedVariant]


class Reader:
    """Reads records with the options of their import."""

    def __init__(self, fields: frozenset[str], options: Options, references: References) -> None:
        self._references, self._options = references, options
        self._lists = {
            stem: sorted((name for name in fields if name.startswith(f"{stem}:")), key=_number)
            for stem in (*MANY, "image")
        }
        self._names = sorted((name for name in fields if name.startswith("option_name:")), key=_number)
        self._fields = fields
        self._places: dict[str, str | InvalidData] = {}
        self._price_columns = PriceColumns(options.get("currency_code", ""))

    def wanted(self, record: Record) -> WantedProduct:
        """What the record says. Adds problems to it."""
        first = self._merged(record)
        values: dict[str, Any] = {}
        for name in PRODUCT:
            if name in first and not (first[name] is None and name in KEPT):
                values[name] = first[name]
        self._put_status(first, values)
        ships = [row["ships"] for _, row in record.rows if row.get("ships") is not None]
        if ships and "requires_shipping" not in values:
            values["requires_shipping"] = any(ships)
        if values.get("handle") or not first.get("id"):
            values["handle"] = key_of(first)
        self._put_relations(record, first, values)
        self._put_images(record, first, values)
        return WantedProduct(first.get("id"), first.get("handle"), values, self._variants(record))

    def _merged(self, record: Record) -> Values:
        """The values of the first row. Later ones may repeat them, or be empty."""
        number, first = record.rows[0]
        for row, values in record.rows[1:]:
            for name, value in values.items():
                if value is not None and _is_of_product(name) and first.get(name) != value:
                    if name == "id" or first.get(name) is not None:
                        record.refuse(f"differs from row {number} of the same product", name, row)
                    else:
                        first = {**first, name: value}
        return first

    def _put_status(self, first: Values, values: dict[str, Any]) -> None:
        if values.get("status") is None and first.get("published") is not None:
            values["status"] = "published" if first["published"] else "draft"
        elif values.get("status") == "published" and first.get("published") is False:
            values["status"] = "draft"

    def _put_relations(self, record: Record, first: Values, values: dict[str, Any]) -> None:
        for name, column in ONE.items():
            if name in first:
                values[column] = first[name] and self._known(record, name, name, first[name])
        for stem, column in MANY.items():
            texts = [(name, first[name]) for name in self._lists[stem] if first.get(name)]
            if stem == "tag" and first.get("tags"):
                texts += [("tags", word.strip()) for word in first["tags"].split(",") if word.strip()]
            if self._lists[stem] or (stem == "tag" and "tags" in self._fields):
                found = [self._known(record, stem, name, text) for name, text in texts]
                values[column] = list(dict.fromkeys(key for key in found if key))

    def _known(self, record: Record, kind: str, field: str, text: str) -> str | None:
        try:
            return self._references.id(kind, text)
        except InvalidData as refusal:
            record.refuse(refusal.message, field)
            return None

    def _put_images(self, record: Record, first: Values, values: dict[str, Any]) -> None:
        if self._lists["image"]:
            values["images"] = [first[name] for name in self._lists["image"] if first.get(name)]
        elif "row_image" in self._fields:
            given = [
                (row.get("image_position") or place, row["row_image"])
                for place, (_, row) in enumerate(record.rows, 1)
                if row.get("row_image")
            ]
            values["images"] = list(dict.fromkeys(url for _, url in sorted(given, key=lambda one: one[0])))

    def _variants(self, record: Record) -> list[WantedVariant]:
        if not any(map(_is_of_variant, self._fields)):
            return []
        titles: dict[str, str] = {}
        variants = []
        for place, (row, values) in enumerate(record.rows):
            if place and not any(value is not None and _is_of_variant(name) for name, value in values.items()):
                continue  # a row with a further picture
            titles |= {name: values[name] for name in self._names if values.get(name)}
            variants.append(self._variant(record, row, values, titles))
        if all(one.options == _DEFAULT for one in variants):
            for one in variants:
                one.options = {}
        return variants

    def _variant(self, record: Record, row: int, values: Values, titles: Mapping[str, str]) -> WantedVariant:
        own = {
            column: values[name]
            for name, column in VARIANT.items()
            if name in values and not (values[name] is None and name in (*KEPT, "variant_title"))
        }
        if values.get("policy") is not None:
            own["allow_backorder"] = values["policy"]
        if "tracker" in values:
            own["manage_inventory"] = bool(values["tracker"])
        one = WantedVariant(row, values.get("variant_id"), own)
        for name, value in values.items():
            stem, _, part = name.partition(":")
            put = partial(self._put, record, row, name)
            if stem == "option_value" and value is not None:
                if title := titles.get(f"option_name:{part}"):
                    one.options[title] = value
                else:
                    record.refuse("has a value of an option without a name", name, row)
            elif stem == "price" and part:
                put(self._put_price, one, part, value)
            elif stem == "sale_price":
                put(self._put_sale_price, one, part, value)
            elif stem == "stock" and value is not None:
                put(self._put_stock, one, part, value, values.get(f"stock_exported:{part}"))
        self._put(record, row, "plain_price", self._put_plain_price, one, values)
        if values.get("quantity") is not None:
            exported = values.get("quantity_exported")
            self._put(record, row, "quantity", self._put_stock, one, "", values["quantity"], exported)
        return one

    def _put(self, record: Record, row: int, field: str, put: Callable[..., None], *args: Any) -> None:
        """Do it, or add the problem to the record."""
        try:
            put(*args)
        except DomainError as refusal:
            record.refuse(refusal.message, field, row)

    def _put_price(self, one: WantedVariant, part: str, amount: Decimal | None) -> None:
        terms = self._price_columns.terms(part)
        one.prices[terms] = None if amount is None else checked_amount(amount, terms[0])

    def _put_sale_price(self, one: WantedVariant, part: str, amount: Decimal | None) -> None:
        currency, _ = self._price_columns.terms(part)
        one.sale[currency] = None if amount is None else checked_amount(amount, currency)

    def _put_stock(self, one: WantedVariant, part: str, quantity: int, exported: int | None) -> None:
        """A number below 0 is what was sold on backorder: it cannot be set."""
        one.stock[self._place(part)] = max(quantity, 0) if exported is None else quantity, exported

    def _put_plain_price(self, one: WantedVariant, values: Values) -> None:
        """A price that is to be compared with a higher one is that of a sale; the higher one is the plain price."""
        if "plain_price" not in values:
            return
        price, higher = values["plain_price"], values.get("compare_at")
        is_sale = higher is not None and price is not None and higher > price
        self._put_price(one, "", higher if is_sale else price)
        if "compare_at" in values:
            self._put_sale_price(one, "", price if is_sale else None)

    def _place(self, part: str) -> str:
        if part not in self._places:
            try:
                self._places[part] = self._found_place(part or self._options.get("location_id", ""))
            except InvalidData as refusal:
                self._places[part] = refusal
        return _or_raise(self._places[part])

    def _found_place(self, text: str) -> str:
        locations = self._references.all("location")
        if not text and len(locations) != 1:
            raise InvalidData("Choose the location of the file's stock")
        return self._references.id("location", text) if text else next(iter(locations))


def key_of(values: Values) -> str:
    """The handle of the row's product, or what follows from its title, or its id."""
    handle = values.get("handle")
    try:
        return normalized(handle) if handle else values.get("id") or handle_of(values.get("title") or "")
    except DomainError:
        return handle or ""


def _or_raise(found: Any) -> Any:
    if isinstance(found, InvalidData):
        raise InvalidData(found.message)
    return found


def _number(name: str) -> int:
    return int(name.partition(":")[2])


def _is_of_variant(name: str) -> bool:
    return name in VARIANT or name in ("variant_id", "plain_price") or name.startswith(_OF_VARIANTS)


def _is_of_product(name: str) -> bool:
    return name in (*PRODUCT, *ONE, "id", "tags", "published") or name.startswith(
        ("tag:", "category:", "channel:", "image:")
    )
