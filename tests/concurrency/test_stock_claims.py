"""Stock that many carts claim at once."""

from collections import Counter

import pytest
from django.db import transaction
from django.db.models import Sum

from catalog.models import InventoryLevel, ProductVariant, Reservation
from catalog.stock import stock_claims
from catalog.stock.errors import StockTooLow
from catalog.stock.stock_claims import LineClaim, claim_stock, release_stock
from kit.database.locking import retry_on_conflict
from kit.reads.sql.keyed_rows import KeyedRows
from shop.models import Store
from tests.concurrency.crowd import at_once
from tests.factories.inventory import InventoryItemFactory, stock
from tests.factories.products import VariantFactory

pytestmark = pytest.mark.django_db(transaction=True)


def claims(number: int, *lines: tuple[ProductVariant, int]) -> list[LineClaim]:
    return [LineClaim(f"line_{number}_{n}", variant.pk, quantity) for n, (variant, quantity) in enumerate(lines)]


def was_served(lines: list[LineClaim], channel: str) -> bool:
    def work() -> None:
        with transaction.atomic():
            claim_stock(lines, channel)

    try:
        retry_on_conflict(work)
    except StockTooLow:
        return False
    return True


def reserved() -> int:
    """All that is reserved, after comparing every level with the sum of its reservations."""
    living = Reservation.objects.not_deleted()
    for level in InventoryLevel.objects.all():
        of_level = living.filter(inventory_item=level.inventory_item_id, location=level.location_id)
        assert level.reserved_quantity == (of_level.aggregate(sum=Sum("quantity"))["sum"] or 0)
        assert level.reserved_quantity <= level.stocked_quantity
    return int(living.aggregate(sum=Sum("quantity"))["sum"] or 0)


def fifty_for_five() -> int:
    """The proof: fifty carts of one mug, and five mugs at two locations. How many were served."""
    mug, item = VariantFactory(manage_inventory=True), InventoryItemFactory()
    stock(mug, 2, item=item)
    stock(mug, 3, item=item)
    channel = Store.objects.get().default_sales_channel_id
    return sum(at_once(lambda number: was_served(claims(number, (mug, 1)), channel), threads=50))


def test_of_fifty_carts_that_claim_five_mugs_five_are_served() -> None:
    assert fifty_for_five() == 5
    assert reserved() == 5


@pytest.mark.postgresql
def test_without_the_locks_of_the_levels_more_is_promised_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof can fail."""
    unlocked = KeyedRows(
        lambda channel: stock_claims.sellable_levels().filter(location__sales_channels=channel),
        key="inventory_item_id",
        row=stock_claims._Level,
    )
    monkeypatch.setattr(stock_claims, "_LEVELS", unlocked)
    assert fifty_for_five() > 5


def test_kits_and_variants_that_share_items_are_served_as_far_as_they_go() -> None:
    cup, kit, item = (
        VariantFactory(manage_inventory=True),
        VariantFactory(manage_inventory=True),
        InventoryItemFactory(),
    )
    level = stock(cup, 9, item=item)
    kit.inventory_links.create(inventory_item=item, required_quantity=2)
    channel = Store.objects.get().default_sales_channel_id

    def buy(number: int) -> str:
        variant = kit if number % 2 else cup
        return ("kit" if number % 2 else "cup") if was_served(claims(number, (variant, 1)), channel) else "refused"

    served = Counter(at_once(buy, threads=20))
    level.refresh_from_db()
    assert served["cup"] + 2 * served["kit"] == reserved() == level.reserved_quantity == 9


def test_carts_with_the_same_lines_in_any_order_do_not_block_each_other() -> None:
    variants = [VariantFactory(manage_inventory=True) for _ in range(4)]
    for variant in variants:
        stock(variant, 20)
    channel = Store.objects.get().default_sales_channel_id

    def buy(number: int) -> None:
        turn = variants[number % 4 :] + variants[: number % 4]
        lines = claims(number, *((variant, 1) for variant in (turn if number % 2 else turn[::-1])))
        with transaction.atomic():
            claim_stock(lines, channel)

    at_once(buy, threads=20)
    assert reserved() == 80


def test_what_many_release_at_once_is_released_once() -> None:
    mug = VariantFactory(manage_inventory=True)
    level = stock(mug, 9)
    channel = Store.objects.get().default_sales_channel_id
    assert was_served(claims(1, (mug, 4)), channel)
    assert was_served(claims(2, (mug, 3)), channel)

    def release(_: int) -> None:
        with transaction.atomic():
            release_stock(["line_1_0"])

    at_once(release, threads=8)
    level.refresh_from_db()
    assert level.reserved_quantity == reserved() == 3
