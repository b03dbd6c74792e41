"""What is wrong after the load test: `python -m tests.load.audit`, in the database's environment.

Reads as JSON the shop's facts, the orders and changes of stock that were answered, and the ids of the events that the
webhook received; writes as JSON `{"wrongs": [sentence, …], "counts": {"orders": 90, …}}`.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import django
import orjson

django.setup()

from django.db.models import F, Sum

from catalog.models import InventoryLevel
from giftcards.verification.verification import discrepancies
from kit.messages.mails.models import Mail
from kit.messages.outbox.models import Event
from orders.models import Order, OrderLineItem
from payments.models import Capture, Payment, Refund
from payments.states import Act
from tests.crash.journal_provider import DONE
from tests.load.provider import journals
from tests.load.settling import open_work


def wrongs(given: dict[str, Any]) -> Iterator[str]:
    yield from discrepancies()
    yield from (f"{count} {kind} are not finished" for kind, count in open_work().items() if count)
    yield from _wrong_orders([line for line in given["lines"] if line.get("order")])
    adjusted = sum(line.get("adjusted", 0) for line in given["lines"])
    yield from _wrong_stock(given["facts"]["stocked"] + adjusted)
    yield from _wrong_payments()
    yield from _wrong_messages(set(given["events"]))


def _wrong_orders(answered: list[dict[str, Any]]) -> Iterator[str]:
    """Each answered order is there with its pieces, once a cart."""
    made = dict(Order.objects.annotate(pieces=Sum("items__quantity")).values_list("cart_id", "pieces"))
    ids = dict(Order.objects.values_list("cart_id", "pk"))
    for line in answered:
        found = (ids.get(line["cart"]), made.get(line["cart"]))
        if found != (line["order"], line["pieces"]):
            yield f"Cart {line['cart']} was answered order {line['order']} of {line['pieces']} pieces, and is {found}"
    if len(made) != Order.objects.count():
        yield f"{Order.objects.count()} orders of {len(made)} carts"


def _wrong_stock(expected: int) -> Iterator[str]:
    """expected: pieces that there would be if nothing had been packed."""
    packed = OrderLineItem.objects.aggregate(sum=Sum("fulfilled_quantity"))["sum"] or 0
    stocked = InventoryLevel.objects.aggregate(sum=Sum("stocked_quantity"))["sum"]
    if stocked != expected - packed:
        yield f"{stocked} pieces are in stock, where {expected} less {packed} packed ones should be"
    reserved = InventoryLevel.objects.aggregate(sum=Sum("reserved_quantity"))["sum"]
    owed = OrderLineItem.objects.aggregate(sum=Sum(F("quantity") - F("fulfilled_quantity")))["sum"] or 0
    if reserved != owed:
        yield f"{reserved} pieces are reserved, and {owed} are to be packed"


def _wrong_payments() -> Iterator[str]:
    """The provider has authorized, captured and refunded what the shop's books say, and did nothing twice."""
    booked = {
        payment.session_id: (payment.authorized_amount, payment.captured_amount, payment.refunded_amount)
        for payment in Payment.objects.all()
    }
    for session_id, journal in journals():
        done = journal.lines(DONE)
        keys = Counter(line["key"] for line in done)
        if repeated := [key for key, times in keys.items() if times > 1]:
            yield f"Session {session_id}: the provider did {repeated} twice"
        authorized = sum(Decimal(line["of"]) for line in done if line["act"] == Act.AUTHORIZE)
        moved = (authorized, _sum(done, Act.CAPTURE), _sum(done, Act.REFUND))
        if moved != booked.pop(session_id, (Decimal(0),) * 3):
            yield f"Session {session_id}: the provider has {moved}, the shop something else"
    yield from (
        f"Session {session_id}: the provider knows nothing of {amounts}" for session_id, amounts in booked.items()
    )


def _sum(lines: list[dict[str, Any]], act: Act) -> Decimal:
    return sum((Decimal(line["amount"]) for line in lines if line["act"] == act), Decimal(0))


def _wrong_messages(received: set[str]) -> Iterator[str]:
    """Each event has been received, and each order has one email."""
    lost = set(Event.objects.values_list("event_id", flat=True)) - received
    yield from (f"Event {event_id} was not received" for event_id in sorted(lost))
    mails = Mail.objects.filter(kind="order_placed", sent_at__isnull=False)
    if sorted(mails.values_list("about", flat=True)) != sorted(Order.objects.values_list("pk", flat=True)):
        yield f"{mails.count()} emails were sent about {Order.objects.count()} orders"


def counts(given: dict[str, Any]) -> dict[str, int]:
    return {
        "orders": Order.objects.count(),
        "captures": Capture.objects.count(),
        "refunds": Refund.objects.count(),
        "corrections of stock": sum(line.get("adjusted", 0) for line in given["lines"]),
        "events": Event.objects.count(),
        "deliveries received": len(given["events"]),
        "mails": Mail.objects.filter(sent_at__isnull=False).count(),
    }


def main() -> None:
    given = orjson.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(orjson.dumps({"wrongs": list(wrongs(given)), "counts": counts(given)}))


if __name__ == "__main__":
    main()
