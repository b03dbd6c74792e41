"""The table of a product's variants, with the columns of the grid, for browsers without JavaScript."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from catalog.admin.grid import used_variants
from catalog.admin.variants.variant_cells import CellForm, cell_form, show_cells
from catalog.admin.variants.variant_form import variant_form
from catalog.errors import DuplicateVariants
from catalog.models import Product, ProductVariant
from catalog.products import product_options
from catalog.products.product_details import require_distinct
from catalog.products.product_editing import variant_details
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import Fault, ProductEditRefused, ProductState
from kit.admin.history.conflicts import refusal_of
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.row_link import row_link
from kit.domain.actor import Actor
from kit.domain.soft_deletion import is_stored
from kit.editing.verbs import RowVerbs

LOST_COLUMN = (
    "You entered a price or stock in a column that this table no longer has. Nothing was saved: check the other "
    "values, and save again."
)


class VariantFormSet(PartFormSet):
    """No two variants, on this page or another, have the same value of each option.

    asked: the variants in carts or orders whose deletion the page asks to confirm, by id.
    """

    form: ClassVar[type[CellForm]]
    asked: Sequence[str] = ()

    def get_queryset(self) -> QuerySet[ProductVariant]:
        """The rows of the page, with their cells."""
        rows: QuerySet[ProductVariant] = super().get_queryset()
        if not hasattr(self, "_shown"):
            self._shown = [*rows]
            show_cells(self._shown, [*self.form.columns, *self.form.option_names])
        return rows

    def clean(self) -> None:
        super().clean()
        self._ask_before_deleting()
        self._refuse_lost_columns()
        remaining = self.remaining
        changed = [form for form in remaining if form.has_changed()]
        unchanged = {form.instance.pk for form in remaining if form not in changed}
        rewritten = {form.instance.pk for form in self.forms} - unchanged
        stored = product_options.values_of_variants(self.instance)
        values = {key: has for key, has in stored.items() if key not in rewritten}
        for form in changed:  # rows that one may only see have not even values to check
            if form.errors:
                continue
            values[form.instance.pk] = (form.cleaned_data["title"], form.chosen)
            try:
                require_distinct(values)
            except DuplicateVariants as refusal:
                form.add_refusal(next(iter(form.option_names), "title"), refusal)
                del values[form.instance.pk]
        refused = refusal_of(self.form.shown_to)
        if isinstance(refused, ProductEditRefused):
            self._report(refused.faults)

    @property
    def asked_name(self) -> str:
        """The name of the hidden field that repeats `asked`: if the page is sent again, it is confirmed."""
        return f"{self.prefix}-asked"

    def _ask_before_deleting(self) -> None:
        remaining = self.remaining
        deleted = [form.instance.pk for form in self.initial_forms if form not in remaining]
        confirmed = {*deleted} <= {*self.data.get(self.asked_name, "").split()}
        question = used_variants.question(self.instance.pk, deleted, confirmed=confirmed)
        if question:
            self.asked = deleted
            raise ValidationError(question)

    def _refuse_lost_columns(self) -> None:
        """Since the page was opened, a location may have been deleted: what was entered there must not vanish."""
        start = f"{self.prefix}-"
        for name, text in self.data.items():
            column = name.removeprefix(start).partition("-")[2] if name.startswith(start) else ""
            is_lost = column.startswith(("prices_", "stock_")) and column not in self.form.columns
            if is_lost and text != self.data.get(f"initial-{name}", ""):
                raise ValidationError(LOST_COLUMN)

    def _report(self, faults: Iterable[Fault]) -> None:
        """Show what the verb has refused in its cells."""
        edited = [form for form in self.remaining if not form.errors and form.cells()]
        for fault in faults:
            form = edited[fault.row] if fault.row is not None and fault.row < len(edited) else None
            name = fault.column.replace(".", "_")
            if form is None or name not in form.fields:
                raise ValidationError(fault.message)
            form.add_error(name, fault.message)

    def _write(self, verbs: RowVerbs[Any], actor: Actor) -> None:
        """The variants, then their prices and stock."""
        super()._write(verbs, actor)
        cells = [form.cells() for form in self.remaining]
        edits = [one for one in cells if one]
        if edits:
            edit_products(actor=actor, states=[ProductState(self.instance.pk, variants=edits)])


class VariantInline(PartInline):
    """The product's variants; each has its own screen for other prices and fields."""

    model = ProductVariant
    verbs = variant_details.VERBS
    form = CellForm
    formset = VariantFormSet
    ordering = ("variant_rank", "pk")
    per_page = 25
    readonly_fields = ("more",)
    template_after = "catalog/variant_table_end.html"
    verbose_name = "variant"
    verbose_name_plural = "Variants"

    class Media:
        css = {"all": ("catalog/variant_table.css",)}

    @admin.display(description="")
    def more(self, row: ProductVariant) -> str:
        return row_link("catalog_productvariant_change", row.pk, "More") if is_stored(row) else ""

    def get_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        form = self._form(request, obj)
        codes, others = ("sku", "barcode"), ("weight", "variant_rank", "manage_inventory", "allow_backorder", "more")
        return ("title", *form.option_names, *codes, *form.columns, *others)

    def get_readonly_fields(self, request: HttpRequest, obj: Product | None = None) -> tuple[str, ...]:
        """Prices and stock that the user may only see are text."""
        columns = self._form(request, obj).columns
        return (*self.readonly_fields, *(name for name, column in columns.items() if not column.is_editable))

    def get_formset(self, request: HttpRequest, obj: Product | None = None, **kwargs: object) -> Any:
        return super().get_formset(request, obj, **{"form": self._form(request, obj), **kwargs})

    def _form(self, request: HttpRequest, product: Product | None) -> type[CellForm]:
        """The form class, made once for a request: its fields are read from the database."""
        if _FORM not in request.META:
            request.META[_FORM] = variant_form(product, cell_form(request, product))
        form: type[CellForm] = request.META[_FORM]
        return form

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductVariant]:
        return super().get_queryset(request).prefetch_related("options")


_FORM = "commerce.variant_form"
