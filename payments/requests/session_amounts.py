"""Whether a session is for the amount due of its collection, and how it gets there.

Why: docs/decisions/payments.md#an-open-session-follows-the-amount.
"""

from decimal import Decimal

from kit.values.json import JSONObject
from kit.values.money import stored
from payments.collections.collection_rows import CollectionRow, SessionRow
from payments.models import Intent
from payments.providers.base import ProviderReport
from payments.states import AWAITING, Act


def fits(collection: CollectionRow, session: SessionRow) -> bool:
    """Whether the live session is for the amount due, is being changed to it, or has been authorized for enough.

    One statement while it is being changed.
    """
    if session.currency_id != collection.currency_id:
        return False
    if session.payment is not None and collection.amount_due and collection.is_covered:
        return True
    wanted = session.amount if session.update_id is None else _asked(session.update_id)
    return wanted == collection.amount_due


def may_follow(collection: CollectionRow, session: SessionRow) -> bool:
    """Whether the session may be brought to the amount due: the shopper has not confirmed another one."""
    return session.is_awaiting and session.currency_id == collection.currency_id and collection.amount_due > 0


def changed_unsent(session: SessionRow, amount: Decimal) -> bool:
    """Change the amount of the open update in place, unless a process has begun to send it."""
    unsent = Intent.objects.filter(pk=session.update_id, attempts=0, done_at=None)
    return session.update_id is not None and bool(unsent.update(amount=amount))


def beginning_of(session_id: str) -> tuple[JSONObject, bool]:
    """What the storefront sent when the session was started, and whether a request of the session is open."""
    requests = list(Intent.objects.filter(session=session_id).values_list("act", "data", "done_at"))
    sent: JSONObject = next((data for act, data, _ in requests if act == Act.START), {})
    return sent, any(done_at is None for _, _, done_at in requests)


def take_amount(session: SessionRow, intent: Intent, report: ProviderReport) -> None:
    """Set the session's amount to that of the update which the provider answers, unless it came too late.

    It did if the shopper has confirmed the former amount. Where an event was there first, the payment follows.
    """
    if session.update_id == intent.pk:
        session.update_id = None
    amount: Decimal = intent.amount
    if report.status in AWAITING or amount in (report.authorized, report.captured):
        session.amount = stored(amount)
        if session.payment is not None:
            session.payment.amount = session.amount


def _asked(intent_id: str) -> int:
    amount: Decimal = Intent.objects.get(pk=intent_id).amount
    return stored(amount)
