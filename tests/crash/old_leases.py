"""Workers of the version before the shared lease, on the same rows: what they find free and write, word by word."""

from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from kit.messages.mails.models import Mail
from kit.messages.webhooks.models import Delivery
from kit.values.timestamps import now
from orders.models import CarrierRequest, CompletionAttempt
from payments.models import Intent


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


class OldDeliveries:
    """kit/messages/webhooks/delivery/leases.py. Of one that nothing has been tried of before."""

    def claim(self, delivery_id: str, name: str) -> Delivery | None:
        earlier = Delivery.objects.filter(
            status="pending", address=OuterRef("address"), order_of=OuterRef("order_of"), event__lt=OuterRef("event")
        )
        free = Q(claimed_until=None) | Q(claimed_until__lt=now())
        due = Delivery.objects.filter(~Exists(earlier), free, pk=delivery_id, status="pending", due_at__lte=now())
        taken = {"claimed_until": now() + timedelta(seconds=30), "claimed_by": name}
        return Delivery.objects.get(pk=delivery_id) if due.update(attempts=F("attempts") + 1, **taken) else None

    def fail(self, delivery: Delivery) -> bool:
        return self._record(delivery, due_at=now() + timedelta(seconds=5), response_status=500, error="no")

    def finish(self, delivery: Delivery) -> bool:
        return self._record(delivery, status="delivered", ended_at=now(), response_status=200, error="")

    def free_claims_of(self, name: str) -> None:
        Delivery.objects.filter(status="pending", claimed_by=name).update(claimed_until=None)

    def _record(self, delivery: Delivery, **columns: Any) -> bool:
        ours = Delivery.objects.filter(pk=delivery.pk, status="pending", attempts=delivery.attempts)
        return bool(ours.update(claimed_until=None, **columns))


class OldCarriers:
    """orders/fulfillments/sending.py. With a FULFILLMENT_PATIENCE of 60 seconds."""

    def claim(self, request_id: str, name: str) -> CarrierRequest | None:
        is_free = Q(claimed_until=None) | Q(claimed_until__lt=now())
        free = CarrierRequest.objects.filter(is_free, pk=request_id, done_at=None)
        taken = {"claimed_until": now() + timedelta(seconds=60), "claimed_by": name, "error": ""}
        return CarrierRequest.objects.get(pk=request_id) if free.update(attempts=F("attempts") + 1, **taken) else None

    def fail(self, request: CarrierRequest) -> bool:
        end = now() + timedelta(seconds=60) * min(2**request.attempts, 16)
        ours = CarrierRequest.objects.filter(pk=request.pk, done_at=None, attempts=request.attempts)
        return bool(ours.update(claimed_until=end, claimed_by="", error="ConnectionError: no"))

    def finish(self, request: CarrierRequest) -> bool:
        still_open = CarrierRequest.objects.filter(pk=request.pk, done_at=None)
        return bool(still_open.update(done_at=now(), result="done", error=""))

    def free_claims_of(self, name: str) -> None:
        CarrierRequest.objects.filter(claimed_by=name, done_at=None).update(claimed_until=None, claimed_by="")


class OldIntents:
    """payments/requests/claims.py. With a PAYMENT_PATIENCE of 60 seconds, and nobody who waits."""

    def claim(self, intent_id: str, name: str) -> Intent | None:
        earlier = Intent.objects.filter(session=OuterRef("session"), done_at=None, pk__lt=OuterRef("pk"))
        is_free = Q(claimed_until=None) | Q(claimed_until__lt=now())
        free = Intent.objects.filter(~Exists(earlier), is_free, pk=intent_id, done_at=None)
        taken = {"claimed_at": now(), "claimed_until": now() + timedelta(seconds=2.5), "error": ""}
        return Intent.objects.get(pk=intent_id) if free.update(attempts=F("attempts") + 1, **taken) else None

    def fail(self, intent: Intent) -> bool:
        end = now() + timedelta(seconds=60) * min(2**intent.attempts, 16)
        ours = Intent.objects.filter(pk=intent.pk, done_at=None, attempts=intent.attempts)
        return bool(ours.update(claimed_until=end, error="ConnectionError: no"))

    def finish(self, intent: Intent) -> bool:
        still_open = Intent.objects.filter(pk=intent.pk, done_at=None)
        return bool(still_open.update(done_at=now(), result="done", error=""))


def old_due_attempts() -> list[str]:
    """orders/completion/resuming.py."""
    asking = Intent.objects.filter(session=OuterRef("session_id"), act="authorize", done_at=None)
    due = CompletionAttempt.objects.filter(~Exists(asking), status="open", created_at__lt=now() - timedelta(seconds=5))
    return list(due.order_by("pk").values_list("pk", flat=True))
