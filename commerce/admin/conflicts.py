"""Forms that refuse to overwrite what another member of staff, or a program, has saved since the page was opened.

What differs is said at each field with the value that is now stored; nothing is saved. The page that comes back shows
what was entered, and carries the digests of what is stored now: sent again, it is saved.
"""

from typing import Any

from django.http import HttpRequest
from django.utils.text import Truncator

from commerce.admin.change_message import word
from commerce.admin.shown_values import MEANWHILE, NAME, ShownValues, saved_by
from commerce.core import living

_LONGEST = 200


class ConflictChecked:
    """A form of a stored row. BaseAdmin makes each of its forms one; `shown_to` is the request."""

    shown_to: HttpRequest
    has_conflict = False

    def full_clean(self: Any) -> None:
        super().full_clean()  # type: ignore[misc]
        if not self.is_bound or not living.is_stored(self.instance):
            return
        shown = sent_by(self.shown_to)
        if shown is not None and refuse_differing(self, shown, shown.row, saved_by(self.instance, shown.at)):
            self.has_conflict = True
            self.add_error(None, MEANWHILE)


def conflict_checked(form: type[Any], request: HttpRequest) -> type[Any]:
    """The form class for that request."""
    return type(form.__name__, (ConflictChecked, form), {"shown_to": request, "__module__": form.__module__})


def sent_by(request: HttpRequest) -> ShownValues | None:
    """What the page that was sent had shown."""
    return ShownValues.read(request.POST.get(NAME, ""))


def shown_to(request: HttpRequest, form: Any, formsets: list[Any]) -> str:
    """What the page that is about to be shown carries: as it came, unless the one who sent it has learned more now."""
    is_news = any(getattr(each, "has_conflict", False) for each in (form, *formsets))
    sent = request.POST.get(NAME)
    return sent if sent is not None and not is_news else ShownValues.of(form, formsets).write()


def refuse_differing(form: Any, shown: ShownValues, digests: Any, saved: str) -> bool:
    """Say at each field that now differs what is stored; whether there is any."""
    differing = shown.differing(form, digests)
    for name in differing:
        field = form.fields[name]
        value = Truncator(word(field, form.get_initial_for_field(field, name))).chars(_LONGEST)
        form.add_error(name, f"Now stored: {value}. Saved {saved}.")
    return bool(differing)
