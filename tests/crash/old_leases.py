"""Workers of the version before the shared lease, on the same rows: what they find free and write, word by word."""

from datetime import timedelta
from typing import Any

from django.db.models import F

from kit.messages.mails.models import Mail
from kit.values.timestamps import now


class OldMails:
    """kit/messages/mails/leases.py."""

    def claim(self, mail_id: str, name: str) -> Mail | None:
        free = Mail.objects.filter(pk=mail_id, next_try_at__lte=now())
        taken = {"next_try_at": now() + timedelta(minutes=2), "claimed_by": name}
        return Mail.objects.get(pk=mail_id) if free.update(attempts=F("attempts") + 1, **taken) else None

    def fail(self, mail: Mail) -> bool:
        wait = min(timedelta(seconds=30) * 2 ** min(mail.attempts - 1, 10), timedelta(hours=1))
        return self._record(mail, next_try_at=now() + wait, error="no")

    def finish(self, mail: Mail) -> bool:
        return self._record(mail, next_try_at=None, sent_at=now(), error="")

    def free_claims_of(self, name: str) -> None:
        held = Mail.objects.filter(claimed_by=name, next_try_at__isnull=False)
        held.filter(attempts__gt=1).update(next_try_at=now() + timedelta(seconds=5), claimed_by="")
        held.update(next_try_at=now(), claimed_by="")

    def _record(self, mail: Mail, **columns: Any) -> bool:
        ours = Mail.objects.filter(pk=mail.pk, next_try_at=mail.next_try_at)
        return bool(ours.update(claimed_by="", **columns))
