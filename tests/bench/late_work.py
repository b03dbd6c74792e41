"""What tests.bench.lateness does in the database's environment: `python -m tests.bench.late_work ACT`.

`authorize` reads a JSON list of carts, has their payments authorized and each cart queued as a provider's event does,
and writes how many seconds later each was an order. `mails SINCE` writes the seconds until each mail was sent, null
for one that was not. `hang SECONDS` keeps the background worker busy.
"""

import sys
import time
from datetime import datetime

import django
import orjson

django.setup()

from commerce.kit.core.actor import SYSTEM
from commerce.kit.core.timestamps import now
from commerce.kit.mails.models import Mail
from orders.completion.resuming import complete_later
from orders.models import Order
from payments.authorization import authorize
from payments.models import PaymentSession
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


def late_mails(since: str) -> list[float | None]:
    mails = Mail.objects.filter(kind="order_placed", created_at__gte=datetime.fromisoformat(since))
    moments = mails.order_by("pk").values_list("created_at", "sent_at")
    return [None if sent is None else (sent - created).total_seconds() for created, sent in moments]


def main() -> None:
    act, *words = sys.argv[1:]
    if act == "hang":
        hang.enqueue(seconds=float(words[0]))
        return
    seconds = late_orders(orjson.loads(sys.stdin.buffer.read())) if act == "authorize" else late_mails(words[0])
    sys.stdout.buffer.write(orjson.dumps(seconds))


if __name__ == "__main__":
    main()
