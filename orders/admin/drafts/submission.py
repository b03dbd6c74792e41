"""Submitting the form of a draft: it is saved once, under the draft's lock, and its order is made after that."""

from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from kit.admin.history.conflicts import reason_of
from kit.admin.history.shown_values import saved_by
from kit.domain.actor import Actor
from kit.errors import DomainError, NotAllowed
from kit.safety.idempotency.replay import Answer, run_once
from orders.admin.drafts.fields import stamp_of
from orders.admin.drafts.form import DraftForm
from orders.admin.forms.submission import fingerprint_of
from orders.drafts.conversion import CONVERTING, convert
from orders.drafts.lifecycle import cancel
from orders.drafts.locked_draft import lock_draft
from orders.models import DraftOrder

SAVE, CREATE, DISCARD = "_save", "_create", "_discard"
"""The names of the buttons. Without any, the form shows what it makes of the draft."""


class Submitted(NamedTuple):
    """order_id: of the order that was made; None if there is none yet."""

    draft_id: str
    order_id: str | None


class ChangedSinceSaved(NotAllowed):
    """The draft that was to be converted is no longer the one that was saved."""

    message = "It has changed since then. Compare, and create the order again."


class DraftChanged(NotAllowed):
    """Another person or program has changed the draft since the page was shown."""

    def __init__(self, draft: DraftOrder, shown_at: str) -> None:
        who = saved_by(draft, shown_at)
        super().__init__(f"Nothing was done: this draft was changed {who} while the form was open. Compare, and go on.")


def submit(request: HttpRequest, form: DraftForm) -> Submitted | None:
    """Do what the button says, once; None if the form is to be shown, with errors or what it makes of the draft."""
    for_order, actor = CREATE in request.POST, form.actor
    if for_order and not actor.may(CONVERTING):
        raise PermissionDenied
    draft = form.draft
    is_outdated = draft is not None and form.data.get("shown_state") != stamp_of(draft)
    form.preview(for_order=for_order and not is_outdated)
    if draft is not None and is_outdated:
        form.refuse_as_changed(DraftChanged(draft, form.data.get("shown_at", "")))
    elif form.errors or not (for_order or SAVE in request.POST):
        form.remember()
    elif not for_order or form.is_confirmed():
        try:
            draft_id, stamp = _saved(request, form)
        except DomainError as refusal:
            form.refuse(refusal)
        else:
            return Submitted(draft_id, _converted(request, draft_id, stamp, actor) if for_order else None)
    return None


def discard(request: HttpRequest, draft: DraftOrder, actor: Actor) -> None:
    """Cancel the draft's open change, and say so."""
    try:
        cancel(actor=actor, draft_id=draft.pk)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The change that was begun elsewhere is discarded.")


def _saved(request: HttpRequest, form: DraftForm) -> tuple[str, str]:
    """The id of the draft, and its stamp as it was saved. Raises what the verbs raise, and DraftChanged."""
    done = run_once(
        actor=form.actor.mark,
        key=f"orders.draft {form.cleaned_data['ticket']}",
        fingerprint=fingerprint_of(request),
        work=partial(_work, form),
    )
    draft_id, _, stamp = done.body.decode().partition(" ")
    return draft_id, stamp


def _work(form: DraftForm) -> Answer:
    if form.draft is not None:
        lock_draft(form.draft.pk)
        present = DraftOrder.objects.get(pk=form.draft.pk)
        if stamp_of(present) != form.cleaned_data["shown_state"]:
            raise DraftChanged(present, form.cleaned_data["shown_at"])
    saved = DraftOrder.objects.get(pk=form.save())
    flag, done = (ADDITION, "Created.") if form.draft is None else (CHANGE, "Changed.")
    LogEntry.objects.log_actions(str(form.actor.id), [saved], flag, done, single_object=True)
    return Answer(200, f"{saved.pk} {stamp_of(saved)}".encode())


def _converted(request: HttpRequest, draft_id: str, stamp: str, actor: Actor) -> str | None:
    """The id of its order; None if it is refused, of which a message tells, as where its stamp is another by now."""
    try:
        return convert(actor=actor, draft_id=draft_id, confirm=partial(_require_saved, draft_id, stamp))
    except DomainError as refusal:
        messages.error(request, f"The draft is saved, but no order was made of it: {reason_of(refusal)}")
        return None


def _require_saved(draft_id: str, stamp: str) -> None:
    if stamp_of(DraftOrder.objects.get(pk=draft_id)) != stamp:
        raise ChangedSinceSaved
