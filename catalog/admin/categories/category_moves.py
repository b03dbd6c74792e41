"""Moving categories within their list: by dragging and by keyboard (category_tree.js)."""

from functools import partial
from typing import Any

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_POST

from catalog.categories import category_tree
from catalog.models import ProductCategory
from kit.admin.history.change_message import ChangeMessage
from kit.admin.history.conflicts import reason_of
from kit.admin.request_actor import request_actor
from kit.admin.screens.verb_admin import VerbAdmin
from kit.database.locking import retry_on_conflict
from kit.errors import DomainError
from kit.values.text import whole_number


@require_POST
def move_view(request: HttpRequest, object_id: str, model_admin: VerbAdmin[ProductCategory]) -> JsonResponse:
    """The list's script posts `parent` (an id, empty for a root) and `rank` (empty for the end).

    `{"message": …}`: where the category is now, or why it stays where it is.
    """
    if not model_admin.has_change_permission(request):
        raise PermissionDenied
    given = request.POST.get("rank", "")
    rank = whole_number(given)
    if given and rank is None:
        return JsonResponse({"message": "The rank must be a whole number."}, status=400)
    try:
        message = retry_on_conflict(partial(_move, model_admin, request, unquote(object_id), rank))
    except DomainError as refusal:
        return JsonResponse({"message": reason_of(refusal)}, status=400)
    return JsonResponse({"message": message})


@transaction.atomic
def _move(screen: VerbAdmin[ProductCategory], request: HttpRequest, key: str, rank: int | None) -> str:
    row = screen.get_object(request, key)  # with the tree locked
    if row is None:
        raise Http404
    actor, parent_id = request_actor(request), request.POST.get("parent") or None
    moved = category_tree.move(actor=actor, category_id=row.pk, parent_id=parent_id, rank=rank)
    screen.log_change(request, moved, _changes(row, moved))
    return f"{moved.name} is now number {moved.rank + 1} {_below(moved)}."


def _below(row: ProductCategory) -> str:
    return f"below {row.parent_category.name}" if row.parent_category else "at the top"


def _changes(before: ProductCategory, after: ProductCategory) -> list[ChangeMessage]:
    """The changes, as the form's history has them."""
    values: list[tuple[str, Any, Any]] = [
        ("Parent category", before.parent_category or "none", after.parent_category or "none"),
        ("Rank", before.rank, after.rank),
    ]
    fields = [f"{label} ({old} → {new})" for label, old, new in values if old != new]
    return [{"changed": {"fields": fields}}] if fields else []
