"""Actions on the selected rows of a list, and the same as a button above one row's form."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE
from django.contrib.admin.utils import model_format_dict
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.actions.verb_actions import Outcome, perform

ScreenAction = Callable[[Any, HttpRequest, QuerySet[Any]], HttpResponse | None]


def bulk_action(
    verb: str,
    *,
    name: str,
    description: str,
    question: str,
    participle: str,
    note: str = "",
    button: str = "",
    permission: str = "change",
    flag: int = CHANGE,
    order: str = "",
) -> ScreenAction:
    """The action that asks the question with the note, and once that is confirmed performs the verb for each row.

    verb: the name of the screen's method, by which jobs look it up. name: of the action. permission, description: as
    Django's `admin.action` takes them; the texts have its placeholders, and `deletion_note`. participle, flag: of the
    Outcome. button: the label of the one that confirms. order: of the rows, where the list's own will not do.
    """

    @admin.action(description=description, permissions=[permission])
    def act(screen: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
        ordered = rows.order_by(order) if order else rows
        if is_confirmed(request):
            return perform(screen, request, ordered, getattr(screen, verb), Outcome(participle, flag))
        texts = {**model_format_dict(screen.opts), "deletion_note": screen.deletion_note}
        return ask(screen, request, ordered, action=name, question=question % texts, note=note % texts, button=button)

    return act


def row_button(name: str, action: ScreenAction, *, description: str, icon: str) -> Callable[..., HttpResponse]:
    """The action as a row_action of that name: its question about the row, then the row again."""

    def act(screen: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        row = screen.get_object_or_404(request, object_id)
        return action(screen, request, screen.get_queryset(request).filter(pk=row.pk)) or redirect(
            screen.address(row.pk)
        )

    return row_action(name=name, description=description, icon=icon)(act)
