"""The screens of products."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Field, Q
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminTextInputWidget

from catalog.admin.categories.category_outline import lineages
from catalog.admin.grid.bulk_grid import BULK_GRID
from catalog.admin.grid.grid_admin import GridAdmin
from catalog.admin.grid.product_grid import NAME, GridForm
from catalog.admin.products import product_actions, product_search
from catalog.admin.products.image_inline import ImageInline, checked_address
from catalog.admin.products.picture_uploads import UPLOAD_URL
from catalog.admin.products.product_columns import LowStockFilter, ProductColumns
from catalog.admin.products.titled_form import TitledForm
from catalog.admin.search_engines import NEW_SEO_SECTION, SEO_SECTION, shown_former_handles
from catalog.admin.variants.option_table import OptionInline
from catalog.admin.variants.variant_form import MEASURED, MeasuredForm
from catalog.admin.variants.variant_table import VariantInline
from catalog.models import Product, ProductCategory
from catalog.products import product_details
from catalog.products.labels import SEARCH_ENGINES
from catalog.products.product_editing.details import VERBS
from catalog.states import ProductStatus
from kit.admin.actions.spreadsheet_buttons import spreadsheet_buttons
from kit.admin.forms.record_section import record_section
from kit.admin.forms.row_choices import RowChoices
from kit.admin.inlines.part_inline import PartInline
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.searched_filter import SearchedFilter
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.screens.verb_admin import RESTORABLE
from kit.admin.sections import Section
from kit.domain.actor import Actor
from shop.models import ShippingProfile, Store

BASIC = ("title", "handle", "subtitle", "description", "status", "thumbnail")
ORGANISATION = ("type", "collection", "tags", "categories", "sales_channels", "shipping_profile")
_ELSEWHERE = {
    *(*BASIC, *ORGANISATION, *(f"{name}_id" for name in ORGANISATION), *product_details.MEASURED, *SEARCH_ENGINES),
    *("former_handles", "external_id", "metadata"),
}
"""The columns that other parts of the page show."""
ATTRIBUTES = (*MEASURED, *(column for column in VERBS.columns if column not in _ELSEWHERE))
"""The page shows a column that is added to products here."""
_THUMBNAIL_HELP = "The URL of a picture. “Thumbnail” below a picture fills it in."


class CategoryChoices(RowChoices):
    """Categories, labelled with their whole lineage."""

    def label_from_instance(self, obj: ProductCategory) -> str:
        return lineages([obj])[obj.pk]


class TablesForm(TitledForm, MeasuredForm):
    """The fields of a product. Its options and variants are in tables below."""

    thumbnail = forms.CharField(required=False, widget=UnfoldAdminTextInputWidget, help_text=_THUMBNAIL_HELP)

    class Meta(TitledForm.Meta):
        widgets: ClassVar = {"subtitle": UnfoldAdminTextInputWidget}
        help_texts = TitledForm.Meta.help_texts | {
            "requires_shipping": "Uncheck for e-books, tickets and other products that are not shipped."
        }

    def clean_thumbnail(self) -> str | None:
        url: str | None = self.cleaned_data["thumbnail"]
        return checked_address(url) if "thumbnail" in self.changed_data else url


class ProductForm(GridForm, TablesForm):
    """The fields of a product, with the grid of its options and variants."""


@admin.register(Product)
class ProductAdmin(GridAdmin):
    """Products with their images, options and variants."""

    section = Section.CATALOGUE
    daily = "view"
    icon = "package_2"
    nothing_yet = "Products are what you sell, each with its options, variants, prices and stock."
    is_in_palette = True
    menu_rank = -2
    verbs = VERBS
    is_saved_once = True
    form = TablesForm
    grid_form = ProductForm
    columns = (ProductColumns(),)
    change_list = product_search.ProductList
    search, get_paginator = product_search.search, product_search.get_paginator
    buttons, list_buttons = product_actions.BUTTONS, (BULK_GRID, *spreadsheet_buttons("products"))
    publish, publish_selected = product_actions.publish, product_actions.publish_selected
    draft, draft_selected = product_actions.draft, product_actions.draft_selected
    organise_selected = product_actions.organise_selected
    custom_urls = (UPLOAD_URL,)
    deletion_note = (
        "Its options, variants and pictures are deleted too; handle and codes become free. It can be restored."
    )

    list_display = ("picture", "title", "state", "price_range", "stock", "channels", "updated_at")
    list_display_links = ("title",)
    list_filter = (
        ("status", ChoicesDropdownFilter),
        ("type", SearchedFilter),
        ("collection", SearchedFilter),
        ("categories", SearchedFilter),
        ("tags", SearchedFilter),
        ("sales_channels", RelatedDropdownFilter),
        LowStockFilter,
        DeletionFilter,
    )
    list_filter_submit = True
    search_fields = ("title",)  # shows the box; the search is ours
    search_help_text = "Title, handle, description, SKU, barcode or id"
    actions = ("organise_selected", "publish_selected", "draft_selected", *RESTORABLE)
    autocomplete_fields = ("type", "collection", "tags", "categories")
    fieldsets = (
        (None, {"fields": BASIC}),
        ("Options and variants", {"fields": (NAME,)}),
        ("Organisation", {"fields": ORGANISATION}),
        ("Attributes", {"fields": ATTRIBUTES, "classes": ("collapse",)}),
        SEO_SECTION,
        record_section("external_id", "metadata", "id", "created_at", "updated_at", "deleted_at"),
    )
    add_fieldsets = (
        (None, {"fields": BASIC}),
        ("Options and variants", {"fields": (NAME,)}),
        ("Organisation", {"fields": ORGANISATION}),
        ("Attributes", {"fields": ATTRIBUTES, "classes": ("collapse",)}),
        NEW_SEO_SECTION,
        record_section("external_id", "metadata"),
    )

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Without prices and stock for users who may not see them."""
        needed = {"price_range": "catalog.view_price", "stock": "catalog.view_inventorylevel"}
        return [name for name in self.list_display if name not in needed or request.user.has_perm(needed[name])]

    @admin.display(description="Former handles")
    def former_handles(self, row: Product) -> str:
        return shown_former_handles(row)

    # --- The form ----------------------------------------------------------------------------------------------------

    def get_inlines(self, request: HttpRequest, obj: Product | None) -> list[type[PartInline]]:
        """In tables, variants need a value of each stored option, so a new product gets its options first."""
        if not self.shows_tables(request, obj):
            return [ImageInline]
        return [ImageInline, OptionInline] if obj is None else [ImageInline, OptionInline, VariantInline]

    def initial_values(self) -> dict[str, object]:
        """The store's own channel, and the profile of goods that ship: without one, no shipping option fits."""
        profiles = ShippingProfile.objects.not_deleted().filter(type="default").order_by("created_at", "id")
        return {
            "sales_channels": [Store.objects.get().default_sales_channel_id],
            "shipping_profile": profiles.values_list("pk", flat=True).first(),
        }

    def formfield_for_manytomany(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        if db_field.name == "sales_channels":
            kwargs["widget"] = UnfoldAdminCheckboxSelectMultipleWidget
        if db_field.name == "categories":
            kwargs["form_class"] = CategoryChoices
        return super().formfield_for_manytomany(db_field, request, **kwargs)


@panel("catalog.view_product")
def products_panel(actor: Actor) -> Panel:
    """How many products the store shows."""
    figures = {
        "published": (Q(status=ProductStatus.PUBLISHED), "status__exact=published"),
        "drafts": (Q(status=ProductStatus.DRAFT), "status__exact=draft"),
    }
    rows = Product.objects.not_deleted()
    return Panel(section=Section.CATALOGUE, title="Products", figures=counted_each(rows, figures))
