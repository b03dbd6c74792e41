"""Pages that change amounts by a difference are saved once, however often they are sent, as by a double click.

The comparison with what the page showed does not help them: what was changed by difference does not count there. So the
page itself is an idempotency key. If the same values are sent again, the response is repeated. Other values, as after
the browser's Back button, come back as after a conflict: the page shows what is out of date by now. A page that was
sent unchanged, as by turning the pages of its tables, has saved nothing, so it can still be saved.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from kit.admin.history.conflicts import refuse_as_saved
from kit.admin.history.shown_values import NAME
from kit.admin.lists.page_turns import TURN, turned_address
from kit.admin.request_actor import request_actor
from kit.safety.idempotency.replay import Answer, KeyOfAnotherRequest, fingerprint, run_once

_NO_VALUES = ("csrfmiddlewaretoken", "_save", "_continue", "_addanother", TURN)
"""The token, which changes with the session, and the buttons."""
_CHANGES = "commerce.changes"


def note_changes(request: HttpRequest) -> None:
    """Note that the request's form has changed something."""
    request.META[_CHANGES] = True


def save_once(request: HttpRequest, serve: Callable[[], HttpResponse]) -> HttpResponse:
    """Serve the form, and save that of a page that was not saved before."""
    if request.method != "POST" or NAME not in request.POST:
        return serve()
    # The hidden field holds the moment when the page was made, so no two pages have the same.
    page = fingerprint("POST", request.path, "", request.POST[NAME].encode())
    values = fingerprint("POST", request.path, "", _values(request.POST))
    served: list[HttpResponse] = []

    def save() -> Answer:
        request.META.pop(_CHANGES, None)  # of an attempt that was undone
        served[:] = [serve()]
        is_saved = served[0].status_code == 302 and _CHANGES in request.META
        return Answer(200, served[0]["Location"].encode()) if is_saved else Answer(409, b"")

    try:
        done = run_once(actor=request_actor(request).mark, key=f"admin page {page}", fingerprint=values, work=save)
    except KeyOfAnotherRequest:
        refuse_as_saved(request)
        return serve()
    return redirect(turned_address(request) or done.body.decode()) if done.replayed else served[0]


def _values(given: QueryDict) -> bytes:
    fields = given.copy()
    for name in _NO_VALUES:
        fields.pop(name, None)
    return fields.urlencode().encode()
