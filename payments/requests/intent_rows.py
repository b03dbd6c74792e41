"""The rows of requests to providers."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict, Unpack

from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.money import stored
from kit.values.text import kept_error
from kit.values.timestamps import now
from kit.writes import raw_rows
from payments.models import Intent
from payments.requests.claims import INTENTS
from payments.states import Act, Result


class IntentColumns(TypedDict, total=False):
    """What the provider is asked for (payments/models/intents.py). amount: in major units."""

    amount: Decimal | None
    data: JSONObject
    note: str | None
    refund_reason_id: str | None
    is_owed: bool
    no_notification: bool | None
    created_by: str | None
    idempotency_digest: str | None


def insert_intent(
    session_id: str,
    act: Act,
    *,
    intent_id: str | None = None,
    claimed_at: datetime | None = None,
    result: Result | None = None,
    error: str = "",
    **columns: Unpack[IntentColumns],
) -> str:
    """Insert an intent for a session of a locked collection; returns its id.

    intent_id: its id if it is known already. claimed_at: now, if the caller sends it after the transaction;
    no other intent of the session may be open. result: of one that a local provider has already carried out; error: why
    it was refused.
    """
    moment, amount = now(), columns.get("amount")
    row = {
        "id": intent_id or new_id("payint"),
        "session_id": session_id,
        "act": act.value,
        "data": {},
        "note": None,
        "refund_reason_id": None,
        "is_owed": False,
        "no_notification": None,
        "created_by": None,
        "idempotency_digest": None,
        **columns,
        "amount": None if amount is None else stored(amount),
        "created_at": moment,
        "claimed_at": claimed_at,
        "claimed_until": claimed_at and claimed_at + INTENTS.lease(),
        "attempts": 0 if claimed_at is None and result is None else 1,
        "done_at": None if result is None else moment,
        "result": "" if result is None else result.value,
        "error": kept_error(error),
    }
    raw_rows.insert(Intent, [row])
    return str(row["id"])
