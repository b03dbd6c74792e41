"""What tests.bench.lateness does in the database's environment: `python -m tests.bench.late_work ACT`.

`authorize` reads a JSON list of carts, has their payments authorized and each cart queued as a provider's event does,
and writes how many seconds later each was an order; `capture` has their money captured, and writes how many seconds
later it was. `mails SINCE` writes the seconds until each email was sent, null for one that was not. `hang SECONDS`
keeps all threads of urgent tasks busy that a provider may hold. `job ROWS` starts a job that deletes so many rows.
"""

import sys
import time
from datetime import datetime

import django
import orjson

django.setup()

from catalog.models import ProductTag
from kit.domain.actor import SYSTEM
from kit.jobs.creation import create
from kit.jobs.queues import URGENT
from kit.messages.mails.models import Mail
from kit.values.json import JSONObject
from kit.values.timestamps import now
from orders.completion.resuming import complete_later
from orders.models import Order
from payments.models import Intent, PaymentSession
from payments.requests.intents import record_intent
from payments.requests.slow_providers import LINES
from payments.sessions.authorization import authorize
from payments.states import Act
from staff.models import User
from tests.bench.hanging_task import hang

PAUSE = 0.5
PATIENCE = 30.0


def late_orders(carts: list[str]) -> list[float | None]:
    asked = {}
    for cart_id in carts:
        session = PaymentSession.objects.not_deleted().get(collection__cart_id=cart_id)
        authorize(actor=SYSTEM, session_id=session.pk)
        asked[cart_id] = now()
        complete_later(cart_id)
        time.sleep(PAUSE)
    end = time.monotonic() + PATIENCE
    while (orders := Order.objects.filter(cart_id__in=carts)).count() < len(carts) and time.monotonic() < end:
        time.sleep(PAUSE)
    made = dict(orders.values_list("cart_id", "created_at"))
    return [(made[cart] - moment).total_seconds() if cart in made else None for cart, moment in asked.items()]


def late_captures(carts: list[str]) -> list[float | None]:
    intents = []
    for cart_id in carts:
        session = PaymentSession.objects.not_deleted().get(collection__cart_id=cart_id)
        authorize(actor=SYSTEM, session_id=session.pk)
        intents.append(record_intent(session.pk, Act.CAPTURE, runs_now=False, amount=session.amount))
        time.sleep(PAUSE)
    end = time.monotonic() + PATIENCE
    while (done := Intent.objects.filter(pk__in=intents, done_at__isnull=False)).count() < len(carts):
        if time.monotonic() > end:
            break
        time.sleep(PAUSE)
    seconds = {intent.pk: (intent.done_at - intent.created_at).total_seconds() for intent in done if intent.done_at}
    return [seconds.get(intent_id) for intent_id in intents]


def start_job(rows: int) -> None:
    tags = ProductTag.objects.bulk_create((ProductTag(value=f"Tag {number}") for number in range(rows)), 10_000)
    parameters: JSONObject = {
        "model": "catalog.ProductTag",
        "verb": "delete_chosen",
        "participle": "deleted",
        "flag": 3,
        "reason": "",
    }
    staff = User.objects.create_superuser("bench@shop.example", "not used")
    keys = [tag.pk for tag in tags]
    create(kind="bulk_action", title="Tags to be deleted", actor_id=staff.pk, keys=keys, parameters=parameters)


def late_mails(since: str) -> list[float | None]:
    mails = Mail.objects.filter(kind="order_placed", created_at__gte=datetime.fromisoformat(since))
    moments = mails.order_by("pk").values_list("created_at", "sent_at")
    return [None if sent is None else (sent - created).total_seconds() for created, sent in moments]


def main() -> None:
    act, *words = sys.argv[1:]
    if act == "hang":
        for _ in range(LINES):
            hang.using(queue_name=URGENT).enqueue(seconds=float(words[0]))
    elif act == "job":
        start_job(int(words[0]))
    elif act == "mails":
        sys.stdout.buffer.write(orjson.dumps(late_mails(words[0])))
    else:
        measure = late_orders if act == "authorize" else late_captures
        sys.stdout.buffer.write(orjson.dumps(measure(orjson.loads(sys.stdin.buffer.read()))))


if __name__ == "__main__":
    main()
