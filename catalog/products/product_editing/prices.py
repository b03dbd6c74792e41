"""The plain prices of variants: outside price lists, for any quantity, without rules."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from catalog.models import Price, PriceRule, PriceSet, ProductVariant
from catalog.products.product_details import checked_amount
from catalog.products.product_editing.edits import Fault, ProductState, change_of
from catalog.products.product_editing.variants import VariantEdits
from kit.editing.changes import Changes
from kit.editing.children import Children
from kit.errors import InvalidData
from kit.values import money
from kit.values.timestamps import now
from kit.values.written_amounts import written
from shop.models import Currency


def plain_prices() -> QuerySet[Price]:
    """The prices that are not deleted and apply to every quantity, region and customer."""
    rules = PriceRule.objects.not_deleted().filter(price=OuterRef("pk"))
    rows: QuerySet[Price] = Price.objects.not_deleted()
    return rows.filter(~Exists(rules), price_list=None, min_quantity=None, max_quantity=None)


class _Prices(Children[Price]):
    """Plain prices of price sets, by currency."""

    model = Price
    parent = "price_set_id"
    key = ("currency_id",)

    def stored(self, parents: Collection[Any]) -> QuerySet[Price]:
        return plain_prices().filter(price_set__in=parents)


class PriceEdits:
    """The plain prices as stored, then as wanted; `write_sets` and `write` save the difference."""

    def __init__(self, variants: VariantEdits) -> None:
        self._variants = variants
        self._prices = _Prices([row.price_set_id for row in variants.all() if row.price_set_id])
        self._sets = Changes(PriceSet)
        self._currencies = set(Currency.objects.not_deleted().values_list("pk", flat=True))

    def put(self, state: ProductState) -> list[Fault]:
        """Give the product's variants their prices. Returns what is wrong with these."""
        faults = []
        rows = self._variants.wanted.get(state.id, ())
        for index, (wanted, row) in enumerate(zip(state.variants, rows, strict=False)):
            for code, cell in wanted.prices.items():
                column, stored = f"prices.{code}", self._amount(row, code)
                problem = self._problem(code, cell.value)
                if problem:
                    faults.append(Fault(state.id, index, column, problem))
                elif wanted.id is not None and cell.conflicts_with(stored):
                    message = "The price has changed."
                    faults.append(Fault(state.id, index, column, message, is_conflict=True, current=stored))
                elif cell.value != stored:
                    self._put_price(row, code, cell.value)
                    self._variants.note(row, [_price_change(code, stored, cell.value)])
        return faults

    def write_sets(self) -> None:
        """Save new price sets, to which the variants refer."""
        self._sets.write()

    def write(self) -> None:
        """Save the prices."""
        self._prices.write()

    def _amount(self, row: ProductVariant, code: str) -> Decimal | None:
        price = self._prices.of(row.price_set_id).get((code,))
        return money.rounded(price.amount, code) if price else None

    def _problem(self, code: str, amount: object) -> str | None:
        if code not in self._currencies:
            return f"'{code}' is not a currency of the shop."
        try:
            if isinstance(amount, Decimal):
                checked_amount(amount, code)
        except InvalidData as refusal:
            return f"{refusal.message}."
        return None

    def _put_price(self, row: ProductVariant, code: str, amount: object) -> None:
        price_set: str | None = row.price_set_id
        if price_set is None:
            price_set = self._sets.make().pk
            self._variants.change(row, {"price_set_id": price_set})
        price = self._prices.of(price_set).get((code,))
        if amount is None and price is not None:
            self._prices.changes.change(price, {"deleted_at": now()})
        elif amount is not None:
            self._prices.put(price_set, (code,), {"amount": amount})


def _price_change(code: str, *amounts: Any) -> str:
    """From the first amount to the second; None for no price."""
    return change_of("Price", *(None if amount is None else written(amount, code) for amount in amounts))
