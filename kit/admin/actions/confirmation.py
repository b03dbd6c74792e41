"""The page that asks for confirmation of an action."""

from collections.abc import Iterator, Sequence

from django import forms
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import model_ngettext
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from kit.admin.actions.tickets import TICKET
from kit.admin.actions.verb_actions import are_many
from kit.admin.base_admin import BaseAdmin
from kit.database.locking import Row
from kit.values.ids import new_ulid

_MOST_SHOWN = 20


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the request comes from that page."""
    return request.method == "POST" and "post" in request.POST


def ask(
    admin: BaseAdmin[Row],
    request: HttpRequest,
    rows: QuerySet[Row],
    *,
    action: str,
    question: str,
    note: str = "",
    points: Sequence[tuple[str, str]] = (),
    form: forms.Form | None = None,
    button: str = "",
    is_once: bool = False,
    sent_to: str = "",
    hidden: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """A page that repeats the request, confirmed.

    points: what will happen, as pairs of title and text.
    form: the fields to fill in before confirming. button: the label of the button that confirms.
    is_once: whether the caller acts once for each TICKET.
    sent_to: the address that gets `hidden` instead of the repeated request, which may be about many rows.
    """
    repeated = hidden if sent_to else _repeated(request, action)
    shown = list(rows[: _MOST_SHOWN + 1])
    count = len(shown) if len(shown) <= _MOST_SHOWN else rows.count()
    return admin.page(
        request,
        "admin/confirmation.html",
        title=question,
        question=question,
        media=admin.media if form is None else admin.media + form.media,
        note=note,
        amount=f"{count} {model_ngettext(admin.opts, count)}" if count > 1 else "",
        form=form,
        button=button,
        deleted_objects=[str(row) for row in shown[:_MOST_SHOWN]],
        points=points,
        more=max(0, count - _MOST_SHOWN),
        runs_in_background=not sent_to and are_many(count),
        sent_to=sent_to,
        repeated=[*repeated, *([(TICKET, new_ulid())] if is_once else [])],
    )


def _repeated(request: HttpRequest, action: str) -> Iterator[tuple[str, str]]:
    yield "action", action
    if "select_across" in request.POST:
        yield "select_across", request.POST["select_across"]
    for key in request.POST.getlist(ACTION_CHECKBOX_NAME):
        yield ACTION_CHECKBOX_NAME, key
