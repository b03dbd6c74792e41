"""The shop of a rush and what must be true of it afterwards, each in the database's environment.

`python -m tests.bench.rush_data fill SHOPPERS STOCK` makes a cart for each shopper and writes as JSON what clients
need. `… audit` reads as JSON what the shoppers were answered, and writes as JSON what is wrong.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import django
import orjson

django.setup()

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Count, Sum

from apikeys.issuance import issue
from catalog.models import InventoryItem, InventoryLevel, Reservation
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from orders.models import CompletionAttempt, Order, OrderLineItem
from payments.models import PaymentCollection
from tests.bench.category_data import fill_categories
from tests.bench.order_data import prepared_maker, start_paying
from tests.bench.product_data import fill_products
from tests.bench.shopper_data import PLENTY
from tests.bench.stock_data import stock_as_it_is_written

VARIANTS = 10
WARMING = 80
"""Carts of another variant, which clients complete before the rush."""
PRODUCTS = 1000


def fill(shoppers: int, stock: int) -> dict[str, Any]:
    """Carts of one piece each, shared out over the variants, which have the stock in two warehouses."""
    call_command("migrate", verbosity=0)
    fill_categories(0)
    fill_products(PRODUCTS)
    with transaction.atomic():
        maker = prepared_maker(VARIANTS + 1)
        guest = maker.of(None)
        *sold, other = maker.variants
        carts = [replace(maker, variants=[sold[turn % VARIANTS]]).cart(guest) for turn in range(shoppers)]
        warming = [replace(maker, variants=[other]).cart(guest) for _ in range(WARMING)]
    for cart_id in (*carts, *warming):
        start_paying(guest, cart_id)
    with stock_as_it_is_written():
        Reservation.objects.all().delete()
        InventoryLevel.objects.update(reserved_quantity=0, stocked_quantity=PLENTY)
        for turn, variant_id in enumerate(sold):
            _put_in_stock(variant_id, stock // VARIANTS + (turn < stock % VARIANTS))
    key = issue(actor=SYSTEM, title="Rush", type="publishable")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return {"carts": carts, "warming": warming, "variants": sold, "stock": stock, "publishable": key.token}


def _put_in_stock(variant_id: str, quantity: int) -> None:
    first, second = InventoryLevel.objects.filter(inventory_item__variant_links__variant_id=variant_id).order_by("pk")
    first.stocked_quantity, second.stocked_quantity = quantity - quantity // 3, quantity // 3
    InventoryLevel.objects.bulk_update([first, second], ["stocked_quantity"])


def wrongs(sold: list[str], order_ids: list[str]) -> Iterator[str]:
    """sold: the variants. order_ids: those that shoppers were answered."""
    orders = Order.objects.filter(items__variant_id__in=sold)
    if sorted(orders.values_list("pk", flat=True)) != sorted(order_ids):
        yield f"There are {orders.count()} orders, and {len(order_ids)} were answered"
    lines = OrderLineItem.objects.filter(variant_id__in=sold).values("variant_id").order_by()
    pieces = dict(lines.annotate(pieces=Sum("quantity")).values_list("variant_id", "pieces"))
    for variant_id in sold:
        yield from _wrong_stock(variant_id, pieces.get(variant_id, 0))
    for order in Order.objects.exclude(payment_status="authorized"):
        yield f"Order {order.display_id} is {order.payment_status}"
    paid = dict(PaymentCollection.objects.exclude(order_id=None).values_list("order_id", "authorized_amount"))
    for order in Order.objects.all():
        if paid.get(order.pk) != order.total:
            yield f"Order {order.display_id} of {order.total} has payments of {paid.get(order.pk)}"
    numbers = list(Order.objects.order_by("display_id").values_list("display_id", flat=True))
    if numbers != list(range(1, len(numbers) + 1)):
        yield "The numbers of orders have gaps"
    twice = Order.objects.values("cart_id").order_by().annotate(orders=Count("pk")).filter(orders__gt=1)
    if twice.exists() or CompletionAttempt.objects.exists():
        yield "A cart has two orders, or an attempt was left"
    yield from discrepancies()


def _wrong_stock(variant_id: str, pieces: int) -> Iterator[str]:
    item = InventoryItem.objects.get(variant_links__variant_id=variant_id)
    levels = item.levels.aggregate(stocked=Sum("stocked_quantity"), reserved=Sum("reserved_quantity"))
    reserved = Reservation.objects.not_deleted().filter(inventory_item=item).aggregate(sum=Sum("quantity"))["sum"]
    if not pieces == levels["stocked"] == levels["reserved"] == reserved:
        yield f"{variant_id}: {pieces} pieces in orders, {levels} in its levels, reservations of {reserved}"


def main() -> None:
    if sys.argv[1] == "fill":
        answer: Any = fill(*map(int, sys.argv[2:]))
    else:
        given = orjson.loads(sys.stdin.buffer.read())
        answer = list(wrongs(given["variants"], given["orders"]))
    sys.stdout.buffer.write(orjson.dumps(answer))


if __name__ == "__main__":
    main()
