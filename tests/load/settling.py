"""Waits until the shop's background work is done: `python -m tests.load.settling`, in the database's environment."""

import sys
import time

import django

django.setup()

from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from kit.messages.webhooks.models import Delivery
from orders.models import CompletionAttempt
from payments.models import Intent

PATIENCE = 180.0


def open_work() -> dict[str, int]:
    """What is not finished, by kind."""
    return {
        "payments": Intent.objects.filter(done_at=None).count(),
        "completions": CompletionAttempt.objects.filter(status="open").count(),
        "mails": Mail.objects.exclude(next_try_at=None).count(),
        "events": Event.objects.filter(dispatched_at=None).count(),
        "deliveries": Delivery.objects.filter(status="pending").count(),
    }


def main() -> None:
    deadline = time.monotonic() + PATIENCE
    while any((work := open_work()).values()) and time.monotonic() < deadline:
        time.sleep(1.0)
    if any(work.values()):
        sys.stderr.write(f"Not finished: {work}\n")


if __name__ == "__main__":
    main()
