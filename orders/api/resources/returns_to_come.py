"""The return of an exchange or claim, as it is, or as it will be once that is confirmed."""

from collections.abc import Mapping
from typing import Any

from kit.domain.actor import SYSTEM, Actor
from kit.query.conditions import Is
from kit.query.paging import Page
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from kit.reads.reading import ListQuery, read_page
from kit.values.timestamps import isoformat
from orders.api.resources.returns import ADMIN_RETURNS
from orders.api.serializers.return_reasons import ReturnReasonSerializer
from orders.api.serializers.returns import AdminReturnItemSerializer, AdminReturnSerializer
from orders.changes.open_change import stored_actions
from orders.common.change_ids import known_as, return_id_of, with_prefix
from orders.models import OrderChange, OrderChangeAction, Return
from orders.models.order_changes import OPEN_CHANGE
from orders.states import ChangeAction, ChangeKind, ReturnStatus

_REASON = FieldSet(lambda: shape_of(ReturnReasonSerializer))


def return_of_change(change_id: str, actor: Actor) -> dict[str, Any] | None:
    """The return of the exchange or claim: made by its confirmation, else the one to come. actor: may view returns.

    None if nothing comes back.
    """
    return_id = return_id_of(change_id)
    made = Return.objects.filter(pk=return_id).exists()
    return ADMIN_RETURNS.one(return_id, ADMIN_RETURNS.single_query({}), actor) if made else to_come(return_id)


def to_come(return_id: str) -> dict[str, Any] | None:
    """The return with that id, which an open exchange or claim will make; None if there is none."""
    row = OrderChange.objects.filter(OPEN_CHANGE).with_id(with_prefix(return_id, "ordch"))
    actions = stored_actions(row.pk) if row else []
    if not row or not any(each.is_inbound or each.action == ChangeAction.RETURN_ITEM for each in actions):
        return None
    own = {
        "id": return_id,
        "order_id": row.order_id,
        "display_id": Return.objects.filter(order=row.order_id).count() + 1,
        "status": ReturnStatus.OPEN.value,
        "order_version": row.order_version,
        "location_id": row.location_id,
        "no_notification": row.no_notification,
        "created_by": row.created_by,
        "exchange_id": known_as(row.kind, row.pk, wanted=ChangeKind.EXCHANGE),
        "claim_id": known_as(row.kind, row.pk, wanted=ChangeKind.CLAIM),
        **_dates(row),
    }
    returned = [each for each in actions if each.action == ChangeAction.RETURN_ITEM]
    reasons = _reasons({each.reason_id for each in returned if each.reason_id})
    items = [_item(each, return_id, reasons.get(each.reason_id or "")) for each in returned]
    return {**_known(AdminReturnSerializer, own), "items": items}


def _item(row: OrderChangeAction, return_id: str, reason: Mapping[str, Any] | None) -> Mapping[str, Any]:
    own = {
        "id": row.pk,
        "return_id": return_id,
        "item_id": row.line_id,
        "quantity": row.quantity,
        "reason_id": row.reason_id,
        "note": row.description,
        "metadata": row.metadata,
        **_dates(row),
    }
    return {**_known(AdminReturnItemSerializer, own), "reason": reason}


def _known(serializer_class: ResourceSerializerClass, own: Mapping[str, Any]) -> dict[str, Any]:
    """All scalars of the resource: its own, counters of 0, and null."""
    names = shape_of(serializer_class).default_scalars
    return {name: own.get(name, 0 if name.endswith("_quantity") else None) for name in names}


def _dates(row: OrderChange | OrderChangeAction) -> Mapping[str, str]:
    return {"created_at": isoformat(row.created_at), "updated_at": isoformat(row.updated_at)}


def _reasons(ids: set[str]) -> Mapping[str, Any]:
    """Of at most as many as an exchange has actions; none without a statement."""
    if not ids:
        return {}
    query = ListQuery(_REASON.parse(None), Is("pk__in", tuple(sorted(ids))), page=Page(len(ids)))
    return {reason["id"]: reason for reason in read_page(ReturnReasonSerializer, query, SYSTEM).answers}
