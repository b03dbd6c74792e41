"""What the rows of a file say of the variants of a product: options, prices and stock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from catalog.products.product_details import checked_amount
from catalog.spreadsheets.price_columns import PriceColumns, sale_titles
from catalog.spreadsheets.product_columns import COLUMNS, KEPT, VARIANT
from catalog.spreadsheets.references import References
from catalog.spreadsheets.stored_prices import Terms
from kit.errors import InvalidData
from kit.spreadsheets.declarations import Options, Record, Values
from kit.spreadsheets.single_rows import Refusing

_STEMS = ("option_value:", "price:", "sale_price:", "stock:", "stock_exported:")
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


class VariantReader:
    """Reads the variants of records."""

    def __init__(self, fields: frozenset[str], options: Options, references: References) -> None:
        self._references, self._options = references, options
        self._names = sorted(name for name in fields if name.startswith("option_name:"))
        self._has_several_lists = len(sale_titles(fields, options)) > 1
        self._has_variants = any(map(_is_of_variant, fields))
        self._price_columns = PriceColumns(references, COLUMNS, fields, options.get("currency_code", ""))

    def variants(self, record: Record) -> list[WantedVariant]:
        """One for each row but those of further pictures. Adds problems to the record."""
        if not self._has_variants:
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
            with Refusing(record, name, row):
                if stem == "option_value" and value is not None:
                    if title := titles.get(f"option_name:{part}"):
                        one.options[title] = value
                    else:
                        record.refuse("Enter the name of this option, too.", name, row)
                elif stem == "price" and part:
                    self._put_price(one, name, value)
                elif stem == "sale_price":
                    self._put_sale_price(one, name, value)
                elif stem == "stock" and value is not None:
                    self._put_stock(one, part, value, values.get(f"stock_exported:{part}"))
        with Refusing(record, "plain_price", row):
            self._put_plain_price(one, values)
        if values.get("quantity") is not None:
            with Refusing(record, "quantity", row):
                self._put_stock(one, "", values["quantity"], values.get("quantity_exported"))
        return one

    def _put_price(self, one: WantedVariant, field: str, amount: Decimal | None) -> None:
        terms = self._price_columns.terms(field)
        one.prices[terms] = None if amount is None else checked_amount(amount, terms[0])

    def _put_sale_price(self, one: WantedVariant, field: str, amount: Decimal | None) -> None:
        if self._has_several_lists:
            raise InvalidData("The sale price columns name several price lists. Import one list at a time.")
        currency, _ = self._price_columns.terms(field)
        one.sale[currency] = None if amount is None else checked_amount(amount, currency)

    def _put_stock(self, one: WantedVariant, part: str, quantity: int, exported: int | None) -> None:
        """A number below 0 is what was sold on backorder: it cannot be set."""
        location = self._references.location(part or self._options.get("location_id", ""))
        one.stock[location] = max(quantity, 0) if exported is None else quantity, exported

    def _put_plain_price(self, one: WantedVariant, values: Values) -> None:
        """A price that is to be compared with a higher one is that of a sale; the higher one is the plain price."""
        if "plain_price" not in values:
            return
        price, higher = values["plain_price"], values.get("compare_at")
        is_sale = higher is not None and price is not None and higher > price
        self._put_price(one, "plain_price", higher if is_sale else price)
        if "compare_at" in values:
            self._put_sale_price(one, "compare_at", price if is_sale else None)


def _is_of_variant(name: str) -> bool:
    return name in VARIANT or name in ("variant_id", "plain_price") or name.startswith(_STEMS)
