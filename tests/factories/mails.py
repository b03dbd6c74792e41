"""Emails for tests."""

from typing import Any

from kit.messages.mails.models import Mail
from kit.values.timestamps import now


def sent_mail(kind: str = "order_placed", **columns: Any) -> Mail:
    """An email that was sent."""
    sent = {"recipient": "a…@example.com", "sent_at": now(), "next_try_at": None}
    about = f"order_{Mail.objects.count()}"
    return Mail.objects.create(**{"kind": kind, "about": about, **sent, **columns})
