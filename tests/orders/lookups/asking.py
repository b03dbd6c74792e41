"""A guest who looks for an order, and the emails that come of it."""

import re
from typing import Any

from django.core import mail
from django.http import HttpResponse
from django.test import Client

from kit.messages.mails.sending import send_due
from tests.contract.callers import Caller
from tests.orders.placed import GUEST

LOOKUP = "/store/orders/lookup"


def ask(caller: Caller, display_id: Any, email: Any = GUEST) -> HttpResponse:
    return caller.post(LOOKUP, {"display_id": display_id, "email": email})


def mailed() -> list[str]:
    """The tokens of the emails with a link to an order that are sent now."""
    before = len(mail.outbox)
    send_due()
    return [token for letter in mail.outbox[before:] for token in re.findall(r"/orders/lookup/(.+)", str(letter.body))]


def token_for(caller: Caller, display_id: Any, email: str = GUEST) -> str:
    assert ask(caller, display_id, email).status_code == 202
    (token,) = mailed()
    return token


def page(token: str) -> str:
    return f"/orders/lookup/{token}"


def browser() -> Client:
    """One that sends no cookies of its own, and is checked for CSRF as browsers are."""
    return Client(enforce_csrf_checks=True)
