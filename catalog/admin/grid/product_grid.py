"""The grid on a product's page: options as chips, and one table of variants with their codes, prices and stock.

The page's script builds it from JSON, and submits the changes as one JSON text. Without the script, the page offers the
plain tables of options and variants (`?tables=1`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from catalog.admin.grid import grid_input, grid_rows, repeated_grid, used_variants
from catalog.models import Product, ProductVariant
from catalog.products.product_editing.edits import MOST_OPTIONS, MOST_VARIANTS, Fault, PartChange, ProductEditRefused
from kit.admin.history.change_message import ChangeMessage
from kit.admin.history.conflicts import sent_by, was_saved_before
from kit.admin.history.shown_values import saved_by
from kit.values.json import JSONObject

_SCRIPTS = ("elements", "grid_faults", "variant_grid_columns", "variant_grid", "variant_grid_table")
NAME = "grid"
TABLES = "tables"
"""The parameter of the page's URL that asks for plain tables."""


class GridWidget(forms.Widget):
    """The place of the grid. page: what the script builds it from."""

    template_name = "catalog/variant_grid.html"
    page: Callable[[], JSONObject]

    class Media:
        js = tuple(f"catalog/{name}.js" for name in _SCRIPTS)
        css = {"all": ("catalog/variant_grid.css",)}

    def get_context(self, name: str, value: Any, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, dict(attrs or {}))
        return {**context, "page": self.page(), "tables": TABLES}


class GridField(forms.CharField):
    """The submitted text; the history describes its changes itself."""

    widget = GridWidget

    def has_changed(self, initial: object, data: object) -> bool:
        return False


class GridForm(forms.ModelForm[Product]):
    """Mixin for the form of a product.

    submitted: the changes to the grid, which the verb gets. grid_refusal: why the verb has refused them before.
    """

    grid = GridField(required=False, label="Variants")

    shown_to: ClassVar[HttpRequest]
    grid_refusal: ClassVar[ProductEditRefused | None] = None
    by_difference = (NAME,)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        widget = self.fields[NAME].widget
        if isinstance(widget, GridWidget):
            widget.page = self.page
        self.submitted: grid_input.GridInput | None = None
        self.grid_changes: Sequence[PartChange] = ()
        self._sent: str | None = None
        self._faults: Sequence[Fault] = ()
        self._asked: Sequence[str] = ()

    @property
    def _product(self) -> Product | None:
        return None if self.instance._state.adding else self.instance  # noqa: SLF001 - Django has no public word for it

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        text = self.cleaned_data.get(NAME)
        if text:
            try:
                self.submitted = grid_input.read(text)
            except grid_input.Unreadable:
                self.add_error(NAME, "The variants could not be read. Reload the page.")
                return cleaned
            self._sent = text
            self._check(self.submitted)
        return cleaned

    def _check(self, given: grid_input.GridInput) -> None:
        self._faults = given.faults or (self.grid_refusal.faults if self.grid_refusal else ())
        if self._sent and was_saved_before(self.shown_to):
            self._sent, self._faults = repeated_grid.compared(self._sent, self._stored_page())
        for message in messages_above(self._faults):
            self.add_error(NAME, message)
        if self._product is not None:
            deleted = given.state.deleted
            question = used_variants.question(self._product.pk, deleted, confirmed={*deleted} <= given.confirmed)
            if question:
                self._asked = deleted
                self.add_error(NAME, question)

    def page(self) -> JSONObject:
        """What the script builds the grid from: the stored rows, then what was submitted and why it was refused."""
        return {
            **self._stored_page(),
            "most_options": MOST_OPTIONS,
            "most_variants": MOST_VARIANTS,
            "sent": self._sent,
            "faults": [self._shown_fault(fault) for fault in self._faults],
            "asked": [*self._asked],
        }

    def _stored_page(self) -> JSONObject:
        shown = grid_rows.columns(self.shown_to, self._product)
        return {"columns": [asdict(column) for column in shown], **grid_rows.rows(self._product, shown)}

    def _shown_fault(self, fault: Fault) -> JSONObject:
        return shown_fault(fault, saved=self._saved_by(fault) if fault.is_conflict else "")

    def _saved_by(self, fault: Fault) -> str:
        """Who has saved it: on the product's page, or on the variant's own."""
        sent = sent_by(self.shown_to)
        since = sent.at if sent else ""
        state = self.submitted.state if self.submitted else None
        key = state.variants[fault.row].id if state and fault.row is not None else None
        by_product = saved_by(self.instance, since)
        return saved_by(ProductVariant(pk=key), since) if key and by_product.startswith("outside") else by_product


def history_of(changes: Sequence[PartChange]) -> list[ChangeMessage]:
    """The changes as messages of the history."""
    return [
        {
            change.action: {
                "name": change.noun,
                "object": change.name,
                **({"fields": list(change.fields)} if change.action == "changed" else {}),
            }
        }
        for change in changes
    ]


def messages_above(faults: Sequence[Fault]) -> list[str]:
    """The messages above a grid: faults that belong to no cell, and how many cells have faults."""
    cells = sum(fault.row is not None for fault in faults)
    of_cells = [f"{cells} cell{'s' if cells > 1 else ''} must be corrected. Nothing was saved."] if cells else []
    return [*dict.fromkeys(fault.message for fault in faults if fault.row is None), *of_cells]


def shown_fault(fault: Fault, *, saved: str = "outside this page") -> JSONObject:
    """A fault as the script shows it. saved: by whom and when a value was saved that differs from the one shown."""
    shown: JSONObject = {"row": fault.row, "column": fault.column, "message": fault.message}
    if fault.is_conflict:
        current = _text(fault.current)
        message = f"Current value: {current or 'none'}. Saved {saved}. Save again to overwrite it."
        shown |= {"message": message, "current": current}
    return shown


def _text(value: object) -> str:
    if isinstance(value, float):
        return grid_rows.number(value)
    return "" if value is None else str(value)
