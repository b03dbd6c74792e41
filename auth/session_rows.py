"""The rows of sessions, which decide whether a session is open."""

from django.contrib.sessions.models import Session
from django.db.models import Exists
from django.db.models.functions import Now


def is_open(session_key: str) -> Exists:
    """The condition that the session has a row that has not expired."""
    return Exists(Session.objects.filter(session_key=session_key, expire_date__gt=Now()))
