"""The screen of a variant, with the fields that its product's table has no room for."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Field, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from catalog.admin.grid import used_variants
from catalog.admin.prices.prices import PriceInline
from catalog.admin.thumbnails import picture
from catalog.admin.variants.variant_form import MEASURED, VariantForm, option_fields, variant_form
from catalog.admin.variants.variant_stock import ItemInline, OwnStockInline, items_of
from catalog.errors import DuplicateVariants
from catalog.models import Product, ProductImage, ProductVariant
from catalog.products.product_details import require_distinct
from catalog.products.product_editing.variant_details import VERBS
from catalog.products.product_options import values_of_variants
from kit.admin.forms.record_section import record_section
from kit.admin.forms.row_choices import RowChoices
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.row_link import may_open, row_link
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.sections import Section


class VariantPageForm(VariantForm):
    """Checks the variant against the product's other variants, which are not on this page."""

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        if not any(name in self.errors for name in ("title", *self.option_names)):
            others = values_of_variants(self.instance.product)
            try:
                require_distinct({**others, self.instance.pk: (self.cleaned_data["title"], self.chosen)})
            except DuplicateVariants as refusal:
                self.add_refusal(next(iter(self.option_names), "title"), refusal)
        return cleaned


class ImageChoices(RowChoices):
    """Images with their shortened URLs."""

    def label_from_instance(self, obj: ProductImage) -> SafeString:
        return format_html(
            '<span class="flex gap-3 items-center">{} {}</span>', picture(obj.url), Truncator(obj.url).chars(60)
        )


@admin.register(ProductVariant)
class ProductVariantAdmin(SoftDeletionAdmin[ProductVariant]):
    """Variants are added on their product's form."""

    section = Section.CATALOGUE
    icon = "style"
    nothing_yet = "Variants are added on the page of their product."
    made_on = "catalog.product"
    menu_rank = -1
    menu_title = "Variants"
    verbs = VERBS
    is_saved_once = True
    forbids = frozenset({"add"})
    reads = ("catalog.view_product",)
    deletion_note = "Its codes become free; its prices and stock are kept. It can be restored."

    list_display = ("title", "of_product", "sku", "manage_inventory", "allow_backorder", "updated_at")
    list_filter = ("manage_inventory", "allow_backorder", DeletionFilter)
    list_select_related = ("product",)
    search_fields = ("title", "sku", "barcode", "ean", "upc", "product__title", "=id")
    search_help_text = "Title, product, code or id"
    ordering = ("product__title", "variant_rank", "id")
    inlines = (PriceInline, OwnStockInline, ItemInline)
    readonly_fields = ("product", "id", "created_at", "updated_at", "deleted_at")

    @admin.display(description="Product", ordering="product__title")
    def of_product(self, row: ProductVariant) -> str:
        return row_link("catalog_product_change", row.product_id, str(row.product))

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Show the product as a link to users who may open it."""
        is_open = may_open(request, Product)
        return [name if is_open or name != "of_product" else "product" for name in self.list_display]

    def labels(self, rows: Iterable[Any]) -> dict[str, str]:
        return {row.pk: label(row) for row in rows}

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductVariant]:
        return super().get_queryset(request).select_related("product")

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> Any:
        """Say how many carts and orders contain the variant."""
        row: ProductVariant = context["object"]
        notes = used_variants.note(row.product_id, row.pk), context["note"]
        return super().render_delete_form(request, {**context, "note": " ".join(filter(None, notes))})

    def locked_with(self, row: ProductVariant) -> QuerySet[Product]:
        """The product, as its own form does, since variants are compared with each other."""
        return Product.objects.filter(pk=row.product_id)

    def get_inlines(self, request: HttpRequest, obj: ProductVariant | None) -> list[type[PartInline]]:
        """No stock table for a bundle: its items have their own screens."""
        return [inline for inline in self.inlines if inline is not OwnStockInline or len(items_of(obj)) < 2]

    def get_form(
        self, request: HttpRequest, obj: ProductVariant | None = None, change: bool = False, **kwargs: object
    ) -> Any:
        kwargs["form"] = variant_form(obj.product if obj else None, VariantPageForm)
        form = super().get_form(request, obj, change, **kwargs)
        images = form.base_fields.get("images")
        if obj is not None and images is not None:
            images.queryset = ProductImage.objects.filter(product=obj.product).order_by("rank", "pk")
            images.help_text = "Images of this variant. Without any, the images of the product are shown."
        return form

    def get_fieldsets(self, request: HttpRequest, obj: ProductVariant | None = None) -> Any:
        named = tuple(option_fields(obj.product)) if obj else ()
        return (
            (None, {"fields": ("product", "title", *named, "variant_rank")}),
            ("Codes", {"fields": (("sku", "barcode"), ("ean", "upc"))}),
            ("Selling", {"fields": ("manage_inventory", "allow_backorder", "images")}),
            ("Attributes", {"fields": MEASURED, "classes": ("collapse",)}),
            record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
        )

    def formfield_for_manytomany(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        kwargs |= {"widget": UnfoldAdminCheckboxSelectMultipleWidget, "form_class": ImageChoices}
        return super().formfield_for_manytomany(db_field, request, **kwargs)


def label(variant: ProductVariant) -> str:
    """`Product / Variant (SKU)`. Reads the product if it was not loaded with the variant."""
    name = f"{variant.product} / {variant.title}"
    return f"{name} ({variant.sku})" if variant.sku else name
