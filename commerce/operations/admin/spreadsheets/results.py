"""What has become of the records of an import, by page, with links to their rows."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.lists.row_link import may_open, row_link
from kit.spreadsheets.declarations import Result
from kit.spreadsheets.models import Import, ImportResult
from kit.values.ids import IdField

_LISTED = [each for each in Result if each != Result.UNCHANGED]
ROWS_A_PAGE = 100


def results_of(request: HttpRequest, one: Import) -> dict[str, Any]:
    """The context of a page of results. `show` in the query is one of the kinds; all by default."""
    show = request.GET.get("show", "")
    show = show if show in _LISTED else ""
    rows = one.results.filter(action=show) if show else one.results.all()
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("results"))
    cells = [
        (f"Row {row.row}", _link(request, row), row.get_action_display(), row.text.replace("\n", " ") or NOTHING)
        for row in page
    ]
    done = one.done
    return {
        "results": page,
        "result_table": PageTable("Results", ("Place", "Record", "Result", "Note"), cells),
        "kinds": [("", "All"), *((kind, kind.label) for kind in _LISTED if done.get(kind))],
        "show": show,
        "done_figures": [(kind.label, done.get(kind, 0)) for kind in Result],
        "deletion": _deletion(request, page) if show == Result.NEW else None,
    }


def _link(request: HttpRequest, row: ImportResult) -> str:
    """The name of the record, which leads to its page."""
    model = _screens().get(row.about.rpartition("_")[0])
    if model is None or not row.about or not may_open(request, model):
        return row.label
    return row_link(f"{model._meta.app_label}_{model._meta.model_name}_change", row.about, row.label or row.about)


def _deletion(request: HttpRequest, rows: Any) -> Mapping[str, Any] | None:
    """Where the new records of the page are deleted together, if the user may do that."""
    keys = [row.about for row in rows if not row.is_addition]
    model = _screens().get(keys[0].rpartition("_")[0]) if keys else None
    if model is None:
        return None
    screen = admin.site.get_model_admin(model)
    if "delete_selected" not in screen.get_actions(request):
        return None
    options = model._meta
    address = reverse(f"admin:{options.app_label}_{options.model_name}_changelist")
    return {"address": address, "keys": keys, "names": str(options.verbose_name_plural)}


@cache
def _screens() -> Mapping[str, type[Model]]:
    """The models that have a screen, by the prefix of their ids."""
    models = admin.site._registry  # noqa: SLF001 - no public way
    return {model._meta.pk.prefix: model for model in models if isinstance(model._meta.pk, IdField)}
