"""The invariants of stock, which `manage.py verify_ledger` checks. Triggers enforce them too (stock_triggers)."""

from django.db.models import Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from catalog.models import InventoryLevel, Reservation, StockMovement
from kit.domain.invariants import Invariant


def _wrong_reserved_quantities() -> QuerySet[InventoryLevel]:
    """Levels whose reserved quantity is not the sum of their reservations."""
    own = Reservation.objects.not_deleted().filter(
        inventory_item=OuterRef("inventory_item"), location=OuterRef("location")
    )
    total = own.order_by().values("inventory_item").annotate(total=Sum("quantity")).values("total")
    levels = InventoryLevel.objects.annotate(added_up=Coalesce(Subquery(total, output_field=IntegerField()), 0))
    return levels.exclude(reserved_quantity=F("added_up"))


def _wrong_stocked_quantities() -> QuerySet[InventoryLevel]:
    """Levels whose stock is not the sum of their movements."""
    moved = Sum(F("movements__stocked_after") - F("movements__stocked_before"), default=0)
    levels: QuerySet[InventoryLevel] = InventoryLevel.objects.annotate(moved=moved)
    return levels.exclude(stocked_quantity=F("moved"))


def _reservations_without_level() -> QuerySet[Reservation]:
    """Reservations of items that their location does not stock."""
    own = InventoryLevel.objects.filter(inventory_item=OuterRef("inventory_item"), location=OuterRef("location"))
    reservations: QuerySet[Reservation] = Reservation.objects.not_deleted().exclude(Exists(own))
    return reservations


def _movements_below_zero() -> QuerySet[StockMovement]:
    """Movements that took more below 0 than was sold on backorder."""
    backordered = F("backordered")
    return StockMovement.objects.exclude(
        Q(stocked_after__gte=-backordered) | Q(stocked_after__gte=F("stocked_before") - backordered)
    )


STOCK_INVARIANTS = (
    Invariant(
        _wrong_reserved_quantities,
        "Stock level {id} has {reserved_quantity} reserved, but its reservations sum to {added_up}",
    ),
    Invariant(
        _wrong_stocked_quantities,
        "Stock level {id} has {stocked_quantity} in stock, but its movements add up to {moved}",
    ),
    Invariant(
        _reservations_without_level,
        "Reservation {id} is of item {inventory_item_id}, which location {location_id} does not stock",
    ),
    Invariant(
        _movements_below_zero,
        "Movement {id} took the stock from {stocked_before} to {stocked_after}, with {backordered} sold on backorder",
    ),
)
