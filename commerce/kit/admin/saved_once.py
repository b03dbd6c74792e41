"""Forms that change amounts by a difference are saved once, however often they are sent, as by a double click.

The comparison with what the page showed does not help them: what was changed by difference does not count there.
"""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from commerce.kit.admin.request_actor import request_actor
from commerce.kit.admin.shown_values import NAME
from commerce.kit.idempotency.replay import Answer, fingerprint, run_once

_OWN = "csrfmiddlewaretoken"


class SavedOnce:
    """Mixin for admin classes; it must come before BaseAdmin."""

    def serve_form(
        self, request: HttpRequest, object_id: str | None, form_url: str, extra_context: dict[str, object] | None
    ) -> HttpResponse:
        """Save the form of a page; if the same page was saved with the same values before, redirect as then."""
        parent: Any = super()
        serve = partial(parent.serve_form, request, object_id, form_url, extra_context)
        # The hidden field holds the moment when the page was made, so equal forms come from one page.
        if request.method != "POST" or NAME not in request.POST:
            answer: HttpResponse = serve()
            return answer
        mark = fingerprint("POST", request.path, "", _content(request.POST))
        served: list[HttpResponse] = []

        def save() -> Answer:
            served[:] = [serve()]
            is_saved = served[0].status_code == 302
            return Answer(200, served[0]["Location"].encode()) if is_saved else Answer(409, b"")

        done = run_once(actor=request_actor(request).mark, key=f"admin form {mark}", fingerprint=mark, work=save)
        return redirect(done.body.decode()) if done.replayed else served[0]


def _content(given: QueryDict) -> bytes:
    """The form without its token, which changes with the session."""
    fields = given.copy()
    fields.pop(_OWN, None)
    return fields.urlencode().encode()
