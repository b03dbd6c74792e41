"""Forms that refuse to overwrite what another member of staff, or a program, has saved since the page was opened.

Each field that differs gets an error with the value that is now stored, and nothing is saved. The page comes back with
the entered values and the digests of what is stored now: if it is sent again, it is saved. So does a form without
digests, one whose row another transaction locks for too long, and one that was saved already (see saved_once.py).
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.text import Truncator

from kit.admin.history.change_message import display_value
from kit.admin.history.shown_values import MEANWHILE, NAME, ShownValues, differing, saved_by
from kit.database.locking import retry_on_conflict
from kit.domain import soft_deletion
from kit.errors import Conflict, DomainError

BUSY = "Another request is changing this data. Nothing has been changed yet: try again in a moment."
SAVED_BEFORE = (
    "You have already saved this page with other values. Nothing was saved this time. To keep the values below, "
    "save again."
)
UNKNOWN = (
    "This page does not say which values it showed you, so nothing was saved: others may have changed them. Compare "
    "your values with those that are stored, and save again."
)
_BUSY = "commerce.busy"
_SAVED = "commerce.saved_before"
_REFUSAL = "commerce.refusal"
_LONGEST = 200


class ConflictChecked:
    """Mixin for the forms of BaseAdmin. shown_to: the request. refusal: why a verb has refused what it submits."""

    shown_to: HttpRequest
    refusal: DomainError | None
    has_conflict = False

    def full_clean(self: Any) -> None:
        super().full_clean()  # type: ignore[misc]
        if not self.is_bound:
            return
        if is_busy(self.shown_to):
            self.add_error(None, BUSY)
        elif soft_deletion.is_stored(self.instance):
            self._refuse_what_differs()

    def _refuse_what_differs(self: Any) -> None:
        shown, is_repeated = sent_by(self.shown_to), was_saved_before(self.shown_to)
        if shown is None:
            self.has_conflict = True
            self.add_error(None, UNKNOWN)
            return
        if refuse_differing(self, shown.row, self.instance, shown.at) or is_repeated:
            self.has_conflict = True
            self.add_error(None, SAVED_BEFORE if is_repeated else MEANWHILE)


def refuse_as_busy(request: HttpRequest) -> None:
    """Make all forms of this request report BUSY, without waiting for the lock again."""
    request.META[_BUSY] = True


def is_busy(request: HttpRequest) -> bool:
    """Whether `refuse_as_busy` was called for the request."""
    return _BUSY in request.META


def refuse_as_saved(request: HttpRequest) -> None:
    """Make all forms of this request come back as after a conflict: their page was saved before, with other values."""
    request.META[_SAVED] = True


def was_saved_before(request: HttpRequest) -> bool:
    """Whether `refuse_as_saved` was called for the request."""
    return _SAVED in request.META


def refuse_as(request: HttpRequest, refusal: DomainError) -> None:
    """Make the form of this request show why a verb has refused it."""
    request.META[_REFUSAL] = refusal


def refusal_of(request: HttpRequest) -> DomainError | None:
    """What `refuse_as` was called with for the request."""
    refusal: DomainError | None = request.META.get(_REFUSAL)
    return refusal


def serve_form(request: HttpRequest, serve: Callable[[], HttpResponse]) -> HttpResponse:
    """If a concurrent write takes a unique value after validation, validate the form again.

    It then reports the value at its field; the first attempt is rolled back, with its history. If another transaction
    locks a row for too long, the form comes back with what was entered.
    """
    try:
        return retry_on_conflict(serve)
    except IntegrityError:
        return serve()
    except Conflict as conflict:
        if type(conflict) is not Conflict:  # a verb's own, which says what it is about
            raise
        refuse_as_busy(request)
        return serve()


def reason_of(refusal: DomainError) -> str:
    """The message for staff. Conflict's own message would advise them to use an Idempotency-Key."""
    return BUSY if type(refusal) is Conflict else refusal.message


def conflict_checked(form: type[ModelForm[Model]], request: HttpRequest) -> type[ModelForm[Model]]:
    """A subclass of the form with ConflictChecked, for that request."""
    given = {"shown_to": request, "refusal": refusal_of(request), "__module__": form.__module__}
    return type(form.__name__, (ConflictChecked, form), given)


def sent_by(request: HttpRequest) -> ShownValues | None:
    """The values that the submitted page had shown; None without the hidden field."""
    return ShownValues.read(request.POST.get(NAME, ""))


def hidden_values(request: HttpRequest, page: Mapping[str, Any]) -> str:
    """The hidden field of the page to be shown: as it was submitted or, after a conflict, of the present values."""
    form, formsets = page["adminform"].form, [each.formset for each in page["inline_admin_formsets"]]
    checked = [each for each in formsets if hasattr(each, "has_conflict")]
    is_news = any(getattr(each, "has_conflict", False) for each in (form, *checked))
    sent = request.POST.get(NAME)
    return sent if sent is not None and not is_news else ShownValues.of(form, checked).write()


def refuse_differing(form: ModelForm[Model], shown: object, saved_with: Model, since: str) -> bool:
    """Add an error with the stored value to each field that now differs. Returns whether there are any.

    shown: the digests of the form's fields. saved_with: the row whose history says who saved it, after `since`.
    """
    names = differing(form, shown)
    saved = saved_by(saved_with, since) if names else ""  # most forms need not read the history
    for name in names:
        field = form.fields[name]
        value = Truncator(display_value(field, form.get_initial_for_field(field, name))).chars(_LONGEST)
        form.add_error(name, f"Current value: {value}. Saved {saved}.")
    return bool(names)
