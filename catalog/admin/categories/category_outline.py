"""The list of categories as an outline."""

from collections.abc import Iterable

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog.models import ProductCategory
from kit.admin.lists.outline import Branch, OutlineChangeList


def lineages(categories: Iterable[ProductCategory]) -> dict[str, str]:
    """`Apparel / Shoes / Boots` by id: one statement, however many and deep they are."""
    links = {category.pk: category.path.split(".") for category in categories}
    wanted = {link for path in links.values() for link in path}
    names = dict(ProductCategory.objects.filter(pk__in=wanted).values_list("pk", "name"))
    return {pk: " / ".join(names[link] for link in path) for pk, path in links.items()}


class CategoryChangeList(OutlineChangeList):
    """Rows show their whole lineage when a search or filter may have left out their parents; else they can be moved."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if self.is_narrowed:
            self.result_list = list(self.result_list)
            by_id = lineages(self.result_list)
            for row in self.result_list:
                row.lineage = by_id[row.pk]
        elif self.model_admin.has_change_permission(request):
            for row in self.result_list:
                row.is_movable = row.deleted_at is None


def attributes(row: ProductCategory) -> str:
    """What category_tree.js needs to move the row; nothing if it cannot be moved."""
    if not getattr(row, "is_movable", False):
        return ""
    return format_html(
        ' data-category data-id="{}" data-parent="{}" data-rank="{}" data-url="{}"',
        row.pk,
        row.parent_category_id or "",
        row.rank,
        reverse("admin:catalog_productcategory_move", args=[quote(row.pk)]),
    )


def fold_link(row: ProductCategory) -> str:
    """The link that folds or unfolds the row; nothing if it has none below it."""
    branch: Branch | None = getattr(row, "branch", None)
    if branch is None:
        return ""
    act, sign = ("Fold", "▾") if branch.is_open else ("Unfold", "▸")
    return format_html(
        '<a id="fold-{key}" class="fold" href="{address}#fold-{key}" aria-expanded="{state}" aria-label="{act} {name}">'
        '<span aria-hidden="true">{sign}</span></a>',
        key=row.pk,
        address=branch.address,
        state="true" if branch.is_open else "false",
        act=act,
        name=row.name,
        sign=sign,
    )
