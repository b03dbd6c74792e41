"""Packing all that can be packed of an order, in a parcel for each location; what does not ship is packed apart."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.db import transaction

from catalog.models import ProductVariant
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError, Forbidden
from kit.values.counted import counted
from orders.fulfillments import creation
from orders.fulfillments.errors import LineNotReserved, ProfileMismatch
from orders.fulfillments.locked_lines import Line, lock_lines
from orders.fulfillments.payment import check_paid
from orders.fulfillments.requested_items import ItemQuantity
from orders.fulfillments.reserved_stock import ReservedStock


class _Parcel(NamedTuple):
    """location_id: None if nothing is taken from stock. units: by line id."""

    location_id: str | None
    units: Mapping[str, int]


@transaction.atomic
def pack_all(*, actor: Actor, order_id: str) -> str:
    """Pack all that can be packed; returns what was packed, and why the rest was not; "" if nothing was left.

    Raises what orders.fulfillments.creation raises, if nothing could be packed.
    """
    actor.require("orders.add_fulfillment")
    order = lock_lines(order_id)
    lines = {key: line for key, line in order.lines.items() if line.remaining}
    if lines:
        order.require_not_canceled()
        check_paid(order.row)
    stock = ReservedStock(lines)
    goods = _goods(lines)
    texts: list[str] = []
    refusals: list[DomainError] = []
    queue = list(_parcels(lines, stock, goods))
    while queue:
        parcel = queue.pop(0)
        try:
            _create(actor, order_id, parcel)
        except (Forbidden, Conflict):
            raise
        except ProfileMismatch as refusal:
            if parts := _by_profile(parcel, goods):
                queue = [*parts, *queue]
            else:
                refusals.append(refusal)
        except DomainError as refusal:
            refusals.append(refusal)
        else:
            texts.append(_packed(parcel, stock))
    refusals += [LineNotReserved(line.id, line.name) for line in _unreserved(lines, stock, goods)]
    if refusals and not texts:
        raise refusals[0]
    return " ".join([*texts, *dict.fromkeys(f"Not packed: {refusal.message.rstrip('.')}." for refusal in refusals)])


class _Goods(NamedTuple):
    """Of the line's variant, if it still exists."""

    is_managed: bool = False
    profile_id: str | None = None


def _goods(lines: Mapping[str, Line]) -> Mapping[str, _Goods]:
    """By line id. One statement."""
    variants = ProductVariant.objects.not_deleted().filter(pk__in={line.variant_id for line in lines.values()})
    columns = variants.values_list("pk", "manage_inventory", "product__shipping_profile_id")
    found = {key: _Goods(is_managed, profile_id) for key, is_managed, profile_id in columns}
    return {key: found.get(line.variant_id or "", _Goods()) for key, line in lines.items()}


def _parcels(lines: Mapping[str, Line], stock: ReservedStock, goods: Mapping[str, _Goods]) -> Iterator[_Parcel]:
    """What is not taken from stock goes with the first parcel of its kind."""
    for ships in (True, False):
        kind = [line for line in lines.values() if bool(line.requires_shipping) is ships]
        loose = {
            line.id: line.remaining for line in kind if not stock.is_reserved(line) and not goods[line.id].is_managed
        }
        for place in stock.names:
            here = {line.id: stock.units_at(line, place) for line in kind if stock.is_reserved(line)}
            if units := {key: number for key, number in here.items() if number}:
                yield _Parcel(place, {**units, **loose})
                loose = {}
        if loose:
            yield _Parcel(None, loose)


def _unreserved(lines: Mapping[str, Line], stock: ReservedStock, goods: Mapping[str, _Goods]) -> Iterator[Line]:
    """Lines of goods that are taken from stock, of which none is reserved."""
    return (line for key, line in lines.items() if goods[key].is_managed and not stock.is_reserved(line))


def _by_profile(parcel: _Parcel, goods: Mapping[str, _Goods]) -> list[_Parcel]:
    """A parcel for each shipping profile; empty if there is only one."""
    profiles = dict.fromkeys(goods[key].profile_id for key in parcel.units)
    parts = [{key: units for key, units in parcel.units.items() if goods[key].profile_id == each} for each in profiles]
    return [_Parcel(parcel.location_id, part) for part in parts] if len(parts) > 1 else []


@transaction.atomic
def _create(actor: Actor, order_id: str, parcel: _Parcel) -> None:
    items = [ItemQuantity(key, units) for key, units in parcel.units.items()]
    creation.create(actor=actor, order_id=order_id, items=items, location_id=parcel.location_id)


def _packed(parcel: _Parcel, stock: ReservedStock) -> str:
    number = sum(parcel.units.values())
    place = f" from {stock.names[parcel.location_id]}" if parcel.location_id else ""
    return f"Packed {counted(number, 'unit')}{place}."
