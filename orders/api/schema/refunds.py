"""Refunds of orders in GraphQL."""

from collections.abc import Mapping
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources import REFUNDS
from orders.api.serializers import RefundOfOrderInput
from orders.refunds import creation

_VIEWING = "orders.view_order"


def _refund(*, actor: Actor, **given: Any) -> Mapping[str, object]:
    return {"refund_id": creation.create(actor=actor, **given)}


def _refunded(*, actor: Actor, refund_id: str, **_: object) -> Written:
    return Written(refund_id)


REFUND_QUERIES = {
    "order_refunds": ListField(REFUNDS, "Refunds of orders. For staff.", permission=_VIEWING),
    "order_refund": SingleField(REFUNDS, "One refund of an order. For staff.", permission=_VIEWING),
}
REFUND_MUTATIONS = {
    "create_order_refund": Change(
        REFUNDS,
        "Refund an amount of an order: to its payments first, then to gift cards and store credit.",
        act=_refunded,
        permission="payments.add_refund",
        viewing=_VIEWING,
        input=RefundOfOrderInput,
        by_id=False,
        before_transaction=_refund,
    ),
}
