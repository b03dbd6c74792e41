"""The screens of the category tree."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.contrib import admin
from django.db.models import Field, Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog.admin.categories.category_moves import move_view
from catalog.admin.categories.category_outline import CategoryChangeList, attributes, fold_link, lineages
from catalog.admin.handle_form import HandleForm
from catalog.admin.product_members import product_buttons
from catalog.admin.search_engines import NEW_SEO_SECTION, SEO_SECTION, shown_former_handles
from catalog.categories import category_tree
from catalog.categories.category_tree import Position
from catalog.models import ProductCategory
from kit.admin.forms.metadata_field import as_update
from kit.admin.forms.record_section import record_section
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.verb_form import VerbForm
from kit.admin.lists.deletion_filter import DeletionFilter
from kit.admin.lists.label_column import label_column
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.screens.verb_admin import RESTORABLE, VerbAdmin
from kit.admin.sections import Section
from kit.domain.actor import Actor

_DETAILS = ("name", "description", "seo_title", "seo_description", "is_active", "is_internal", "metadata")
MOST_PARENTS = 50
"""The most categories of one name below which a search by path looks."""


class ParentField(RowChoice):
    """A category, labelled with its whole lineage."""

    def label_from_instance(self, obj: ProductCategory) -> str:
        return lineages([obj])[obj.pk]


class CategoryForm(HandleForm):
    """An empty handle is derived from the name; the verb chooses an empty rank."""

    named_by = "name"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "rank" in self.fields:
            self.fields["rank"].required = False
            self.fields["rank"].help_text = "0 is first among its siblings; a number beyond the last means the end."
            if "handle" not in self.initial:
                self.fields["rank"].initial = None
                self.fields["handle"].required = False
                self.fields["handle"].help_text = "Derived from the name if left empty."


@admin.register(ProductCategory)
class ProductCategoryAdmin(VerbAdmin[ProductCategory]):
    """The category tree, as an outline."""

    section = Section.CATALOGUE
    daily = "change"
    icon = "account_tree"
    nothing_yet = "Categories are the catalogue's tree: add the first, then others below it."
    tree_path = "path"
    buttons = product_buttons("categories")
    change_list = CategoryChangeList
    pickable = Q(in_deleted_branch=False)  # what can be a parent; the list has its filter
    form = CategoryForm
    custom_urls = (("<path:object_id>/move/", "catalog_productcategory_move", move_view),)
    deletion_note = "A category with children cannot be deleted. It can be restored."

    list_before_template = "catalog/fold_links.html"
    list_display_links = ("name_in_tree",)
    list_display = ("fold", "name_in_tree", "handle", "rank", "in_store", "updated_at")
    list_filter = ("is_active", "is_internal", "is_visible", DeletionFilter)
    search_fields = ("name", "handle", "=id")
    search_help_text = "Name, path such as Apparel / Shoes, handle or id"
    ordering = ("path",)
    actions = RESTORABLE
    actions_detail = ("restore",)
    autocomplete_fields = ("parent_category",)
    readonly_fields = ("is_visible", "id", "created_at", "updated_at", "deleted_at")
    fieldsets = (
        (None, {"fields": ("name", "handle", "description")}),
        ("Place", {"fields": ("parent_category", "rank")}),
        ("Store", {"fields": ("is_active", "is_internal", "is_visible")}),
        SEO_SECTION,
        record_section("metadata", "id", "created_at", "updated_at", "deleted_at"),
    )
    add_fieldsets = (
        (None, {"fields": ("name", "handle", "description")}),
        ("Place", {"fields": ("parent_category", "rank")}),
        ("Store", {"fields": ("is_active", "is_internal")}),
        NEW_SEO_SECTION,
        record_section("metadata"),
    )

    class Media:
        js = ("catalog/elements.js", "catalog/category_tree.js")
        css = {"all": ("catalog/category_tree.css",)}

    @admin.display(description="")
    def fold(self, row: ProductCategory) -> str:
        """A link that shows or hides what is below the category."""
        return fold_link(row)

    @admin.display(description="Name", ordering="name")
    def name_in_tree(self, row: ProductCategory) -> str:
        lineage: str | None = getattr(row, "lineage", None)
        if lineage is not None:
            return lineage
        return format_html('<span style="padding-left: {}rem"{}>{}</span>', 1.25 * row.depth, attributes(row), row.name)

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        columns: tuple[str, ...] = super().get_list_display(request)
        return (*columns, "add_below") if self.has_add_permission(request) else columns

    @admin.display(description="")
    def add_below(self, row: ProductCategory) -> str:
        if row.deleted_at is not None:
            return ""
        address = f"{reverse('admin:catalog_productcategory_add')}?parent_category={row.pk}"
        return format_html('<a href="{}" aria-label="Add below {}">Add below</a>', address, row.name)

    @admin.display(description="Former handles")
    def former_handles(self, row: ProductCategory) -> str:
        return shown_former_handles(row)

    @label_column(
        description="In the store", colours={"visible": "success", "inactive": "danger", "internal": "warning"}
    )
    def in_store(self, row: ProductCategory) -> str:
        if row.is_visible:
            return "visible"
        return "inactive" if not row.is_active else "internal" if row.is_internal else "hidden by its parent"

    def write(self, *, actor: Actor, form: VerbForm, row: ProductCategory | None) -> ProductCategory:
        given = form.cleaned_data
        parent = given["parent_category"] and given["parent_category"].pk
        if row is None:
            details = {name: given[name] for name in _DETAILS}
            return category_tree.create(
                actor=actor, handle=given["handle"] or None, parent_id=parent, rank=given["rank"], **details
            )
        changed = {name: given[name] for name in form.changed_data if name not in ("parent_category", "rank")}
        if "metadata" in changed:
            changed["metadata"] = as_update(changed["metadata"], stored=form.initial["metadata"])
        category_tree.update(actor=actor, category_id=row.pk, **changed)
        position: Position = {"rank": given["rank"] if "rank" in form.changed_data else None}
        if "parent_category" in form.changed_data:
            position["parent_id"] = parent
        return category_tree.move(actor=actor, category_id=row.pk, **position)

    def lock(self, row: ProductCategory) -> None:
        """Lock the tree, as its verbs do. Locking the row first could deadlock with them."""
        category_tree.lock_tree()

    def delete(self, *, actor: Actor, row: ProductCategory) -> None:
        category_tree.delete(actor=actor, category_id=row.pk)

    def restore_row(self, *, actor: Actor, row: ProductCategory) -> None:
        category_tree.restore(actor=actor, category_id=row.pk)

    def labels(self, rows: Iterable[Model]) -> Mapping[str, str]:
        return lineages(row for row in rows if isinstance(row, ProductCategory))

    def search(
        self, request: HttpRequest, queryset: QuerySet[ProductCategory], search_term: str
    ) -> tuple[QuerySet[ProductCategory], bool]:
        """By the name, or by the path to it."""
        *above, name = (part.strip() for part in search_term.split("/"))
        found, may_repeat = super().search(request, queryset, name)
        for parent in above:
            found = found.filter(_is_below(parent))
        return found, may_repeat

    def formfield_for_foreignkey(self, db_field: Field[object, object], request: HttpRequest, **kwargs: object) -> Any:
        return super().formfield_for_foreignkey(db_field, request, **{**kwargs, "form_class": ParentField})


def _is_below(name: str) -> Q:
    """The categories below any whose name begins with the text. A path is the ids from the top, joined by dots."""
    above = list(ProductCategory.objects.filter(name__istartswith=name).values_list("path", flat=True)[:MOST_PARENTS])
    return reduce(or_, (Q(path__startswith=f"{path}.") for path in above), Q(pk__in=()))


@panel("catalog.view_productcategory")
def categories_panel(actor: Actor) -> Panel:
    """How much of the tree the store shows."""
    figures = {
        "visible in the store": (Q(is_visible=True), "is_visible__exact=1"),
        "hidden": (Q(is_visible=False), "is_visible__exact=0"),
    }
    rows = ProductCategory.objects.visible_to(actor)
    return Panel(section=Section.CATALOGUE, title="Product categories", figures=counted_each(rows, figures))
