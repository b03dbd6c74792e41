"""The latest begun open change of an order: an edit, exchange or claim, or a return that staff prepare or count."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from kit.reads.declarations.computed import Batch
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.json import JSONObject
from orders.common.change_ids import known_as, return_id_of, with_prefix
from orders.models import OrderChange, OrderChangeAction, Return, ReturnItem
from orders.models.order_changes import OPEN_CHANGE, OrderChangeQuerySet
from orders.models.returns import ReturnQuerySet
from orders.states import ChangeAction, ChangeKind, OrderChangeStatus, ReturnStatus

BRINGS_BACK = Q(action=ChangeAction.RETURN_ITEM) | Q(is_inbound=True)
"""The actions of an exchange or claim that its return will hold."""


class _OpenReturn(NamedTuple):
    order_id: str
    created_at: str
    id: str
    is_open: bool
    order_version: int
    note: str | None
    internal_note: str | None
    created_by: str | None


class _OpenEdit(NamedTuple):
    """An edit, an exchange or a claim."""

    order_id: str
    created_at: str
    id: str
    kind: str
    brings_back: bool
    status: str
    order_version: int
    description: str | None
    internal_note: str | None
    created_by: str | None


def open_changes(batch: Batch) -> Sequence[JSONObject | None]:
    """The open change of each order; returns for those who may view them. Of these, one that is prepared goes first."""
    ids = [order_id for (order_id,) in batch.rows]
    returns = _OPEN.read(ids if batch.actor.may("orders.view_return") else [])
    found: dict[str, _OpenReturn | _OpenEdit] = {
        row.order_id: row for row in sorted(returns, key=lambda row: (row.is_open, row.id))
    }
    for edit in _EDITS.read(ids):
        other = found.get(edit.order_id)
        if other is None or other.created_at < edit.created_at:
            found[edit.order_id] = edit
    return [_shown(found[order_id]) if order_id in found else None for order_id in ids]


def _shown(row: _OpenReturn | _OpenEdit) -> JSONObject:
    if isinstance(row, _OpenEdit):
        return {
            "id": row.id,
            "order_id": row.order_id,
            "return_id": return_id_of(row.id) if row.brings_back else None,
            "exchange_id": known_as(row.kind, row.id, wanted=ChangeKind.EXCHANGE),
            "claim_id": known_as(row.kind, row.id, wanted=ChangeKind.CLAIM),
            "change_type": row.kind,
            "status": row.status,
            "version": row.order_version + 1,
            "description": row.description,
            "internal_note": row.internal_note,
            "created_by": row.created_by,
        }
    return {
        "id": change_id(row.id),
        "order_id": row.order_id,
        "return_id": row.id,
        "exchange_id": None,
        "claim_id": None,
        "change_type": "return_request" if row.is_open else "return_receive",
        "status": OrderChangeStatus.PENDING.value,
        "version": row.order_version,
        "description": row.note,
        "internal_note": row.internal_note,
        "created_by": row.created_by,
    }


def change_id(return_id: str) -> str:
    """The id of the change that a return is."""
    return with_prefix(return_id, "ordch")


def action_id(part_id: str) -> str:
    """The id of the change's action that an item of a return is, or its shipping method."""
    return f"ordchact_{part_id.partition('_')[2]}"


def part_id(action: str, prefix: str) -> str:
    """The id of the item or shipping method, given by its own id or by that of its action."""
    return action.replace("ordchact_", f"{prefix}_", 1) if action.startswith("ordchact_") else action


def _open_returns() -> ReturnQuerySet:
    arrived = Q(arrived_quantity__gt=0) | Q(arrived_damaged_quantity__gt=0)
    counted = Exists(ReturnItem.objects.not_deleted().filter(arrived, of_return=OuterRef("pk")))
    is_open = Q(status=ReturnStatus.OPEN)
    received = Q(status__in=[ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED]) & Q(counted)
    rows: ReturnQuerySet = (
        Return.objects.not_deleted()
        .filter(is_open | received)
        .annotate(is_open=ExpressionWrapper(is_open, output_field=BooleanField()))
    )
    return rows


def _open_edits() -> OrderChangeQuerySet:
    returning = OrderChangeAction.objects.filter(BRINGS_BACK, change=OuterRef("pk"))
    rows: OrderChangeQuerySet = OrderChange.objects.filter(OPEN_CHANGE).annotate(brings_back=Exists(returning))
    return rows


_EDITS = KeyedRows(_open_edits, key="order_id", row=_OpenEdit, decoded=("brings_back",))
_OPEN = KeyedRows(_open_returns, key="order_id", row=_OpenReturn, decoded=("is_open",))
