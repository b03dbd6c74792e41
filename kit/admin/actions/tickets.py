"""The ticket of a form: new in each page, so that a form that is submitted twice acts once."""

import re

from django import forms
from django.http import HttpRequest

from kit.values.ids import new_ulid

TICKET = "ticket"
"""The name of the field."""

_SHAPE = r"\A[0-9A-Z]{26}\Z"


def ticket_field() -> forms.RegexField:
    """The hidden field for forms of Django's."""
    return forms.RegexField(_SHAPE, initial=new_ulid, widget=forms.HiddenInput)


def sent_ticket(request: HttpRequest) -> str | None:
    """The ticket of the submitted page; None where it is missing or malformed."""
    ticket = request.POST.get(TICKET, "")
    return ticket if re.match(_SHAPE, ticket) else None
