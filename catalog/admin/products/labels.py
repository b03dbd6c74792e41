"""The screens of product collections, types and tags."""

from typing import Any

from django.contrib import admin

from catalog.admin.product_members import product_buttons
from catalog.admin.products.titled_form import TitledForm
from catalog.admin.search_engines import NEW_SEO_SECTION, SEO_SECTION, shown_former_handles
from catalog.models import ProductCollection, ProductTag, ProductType
from catalog.products.labels import COLLECTIONS, TAGS, TYPES
from kit.admin.forms.record_section import record_section
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.screens.verb_admin import Stored
from kit.admin.sections import Section

RECORD = record_section("metadata", "id", "created_at", "updated_at", "deleted_at")


class LabelAdmin(SoftDeletionAdmin[Stored]):
    """Products keep their reference to a deleted label, which is hidden until it is restored."""

    section = Section.CATALOGUE
    deletion_note = "Products keep their link to it: it is shown with them again if it is restored."

    list_display: tuple[str, ...] = ("value", "updated_at")
    list_filter = (DeletionFilter,)
    search_fields: tuple[str, ...] = ("value", "=id")
    search_help_text = "Value or id"
    ordering = ("value",)
    fieldsets: Any = ((None, {"fields": ("value",)}), RECORD)


@admin.register(ProductCollection)
class ProductCollectionAdmin(LabelAdmin[ProductCollection]):
    """Products that are shown together."""

    icon = "collections_bookmark"
    nothing_yet = "A collection has products that are shown together. They are chosen on their pages."
    made_on = "catalog.product"
    daily = "change"
    verbs = COLLECTIONS
    menu_title, row_title = "Collections", "collection"
    buttons = product_buttons("collection")
    form = TitledForm

    list_display = ("title", "handle", "updated_at")
    search_fields = ("title", "handle", "=id")
    search_help_text = "Title, handle or id"
    ordering = ("title",)
    fieldsets = ((None, {"fields": ("title", "handle")}), SEO_SECTION, RECORD)
    add_fieldsets = ((None, {"fields": ("title", "handle")}), NEW_SEO_SECTION, record_section("metadata"))

    @admin.display(description="Former handles")
    def former_handles(self, row: ProductCollection) -> str:
        return shown_former_handles(row)


@admin.register(ProductType)
class ProductTypeAdmin(LabelAdmin[ProductType]):
    """The kinds of products."""

    icon = "category"
    nothing_yet = "A type is a kind of product, such as Tea. Tax rates and promotions can be for types."
    verbs = TYPES
    menu_title, row_title = "Types", "type"
    buttons = product_buttons("type")


@admin.register(ProductTag)
class ProductTagAdmin(LabelAdmin[ProductTag]):
    """The words that products share."""

    icon = "sell"
    nothing_yet = "A tag is a word that products share, by which a storefront can filter them."
    verbs = TAGS
    menu_title, row_title = "Tags", "tag"
    buttons = product_buttons("tags")
