"""Prices and stock in the plain table of variants: the cells that the grid has, as fields of each row's form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from catalog.admin.grid import grid_rows
from catalog.admin.grid.difference_form import DifferenceForm
from catalog.admin.grid.grid_rows import Column
from catalog.admin.variants.variant_form import VariantForm, field_name
from catalog.models import Product, ProductVariant
from catalog.products.product_details import checked_amount
from catalog.products.product_editing.edits import Cell, VariantState
from kit.admin.forms.amount_fields import AmountField, CountField
from kit.errors import InvalidData
from kit.values.money import rounded

BUNDLE = "The variant has become a bundle: its items have their own stock."
_SHOWN = "shown_cells"
"""The attribute of a row that holds the values of its cells by column, and whether it is a bundle."""
_NOTHING: tuple[Mapping[str, object], bool] = ({}, False)


class CellForm(DifferenceForm, VariantForm):
    """A variant with its plain prices and its stock. columns: by the names of their fields."""

    columns: ClassVar[Mapping[str, Column]] = {}

    def __init__(self, *args: object, **kwargs: Any) -> None:
        shown, is_bundle = getattr(kwargs.get("instance"), _SHOWN, _NOTHING)
        initial = {name: shown.get(column.key) for name, column in self.columns.items()}
        kwargs["initial"] = {**initial, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        self._locked = self.by_difference if is_bundle else ()
        for name in self._locked:
            self.fields[name].disabled = True
            self.fields[name].widget.attrs["placeholder"] = "bundle"

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        for name, column in self.columns.items():
            kind, _, key = column.key.partition(".")
            value: Any = self.cleaned_data.get(name)
            if name not in self.changed_data or name in self.errors:
                continue
            if kind == "stock" and value is None:
                self.add_error(name, "Enter a whole number, 0 for none.")
            elif kind == "stock" and self.is_new and value < 0:
                self.add_error(name, "Enter 0 or more.")
            elif kind == "prices" and value is not None:
                try:
                    self.cleaned_data[name] = rounded(checked_amount(value, key), key)
                except InvalidData as refusal:
                    self.add_refusal(name, refusal)
        for name in self._locked:
            if self.data.get(self.add_prefix(name), "") != self.data.get(self.add_initial_prefix(name), ""):
                self.add_error(name, BUNDLE)
        return cleaned

    def cells(self) -> VariantState | None:
        """The changed prices and the differences of stock of a valid form, for the verb that edits products.

        The digests of the page have found conflicts before, under the product's lock.
        """
        changed = [(self.columns[name].key, name) for name in self.changed_data if name in self.columns]
        keys = [(*key.partition("."), name) for key, name in changed]
        prices = {key: Cell(self.cleaned_data[name]) for kind, _, key, name in keys if kind == "prices"}
        stock = {key: self.difference(name) for kind, _, key, name in keys if kind == "stock"}
        return VariantState(self.instance.pk, prices=prices, stock=stock) if keys else None


def cell_form(request: HttpRequest, product: Product | None) -> type[CellForm]:
    """The form class with a field for each price and stock that the user may see.

    Users who may not change variants cannot edit them, not even those of a new variant.
    """
    may_change = request.user.has_perm("catalog.change_productvariant")
    shown = [column for column in grid_rows.columns(request, product) if "." in column.key] if product else []
    columns = {
        column.key.replace(".", "_"): replace(column, is_editable=column.is_editable and may_change) for column in shown
    }
    fields = {name: _field(column) for name, column in columns.items()}
    stock = tuple(name for name, column in columns.items() if column.key.startswith("stock."))
    return type("ProductVariantForm", (CellForm,), {**fields, "columns": columns, "by_difference": stock})


def show_cells(rows: Sequence[ProductVariant], names: Iterable[str]) -> None:
    """Give the rows the cells of their forms; and as attributes of these names, which readers of the table see."""
    prices = grid_rows.prices_of([row.price_set_id for row in rows])
    stock, bundles = grid_rows.stock_of([row.pk for row in rows])
    for row in rows:
        amounts = {key: Decimal(text) for key, text in prices.get(row.price_set_id, {}).items()}
        counts = {key: int(text) for key, text in stock.get(row.pk, {}).items()}
        shown: Mapping[str, Any] = {**amounts, **counts}
        setattr(row, _SHOWN, (shown, row.pk in bundles))
        texts = {key.replace(".", "_"): value for key, value in shown.items()}
        texts |= {field_name(value.option_id): value.value for value in row.options.all()}
        for name in names:
            setattr(row, name, texts.get(name, ""))


def _field(column: Column) -> forms.Field:
    if column.key.startswith("prices."):
        return AmountField(
            currency_code=column.key.removeprefix("prices."),
            required=False,
            label=column.label,
            widget=UnfoldAdminTextInputWidget(attrs={"class": "max-w-24"}),
            disabled=not column.is_editable,
        )
    return CountField(
        is_signed=True,
        required=False,
        label=column.label,
        widget=UnfoldAdminTextInputWidget(attrs={"class": "max-w-24"}),
        disabled=not column.is_editable,
    )
