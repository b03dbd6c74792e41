"""Exchanges and claims in GraphQL, for staff: each is previewed, and confirmed, as a whole."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.graphql.fields.mutations import Change, written_by
from kit.graphql.fields.reads import ListField, SingleField
from orders.api.resources import ADMIN_ORDERS
from orders.api.resources.edits import CLAIMS, EXCHANGES
from orders.api.schema.order_edits import Preview
from orders.api.serializers.changes.whole_inputs import WholeClaimInput, WholeExchangeInput
from orders.changes.open_change import EDITING
from orders.exchanges.exchanging import claim, exchange

_VIEWING = "orders.view_order"
_exchanging: Mapping[str, Any] = {"act": written_by(exchange, key="order_id"), "input": WholeExchangeInput}
_claiming: Mapping[str, Any] = {"act": written_by(claim, key="order_id"), "input": WholeClaimInput}
_change, _preview = (partial(kind, ADMIN_ORDERS, permission=EDITING, viewing=_VIEWING) for kind in (Change, Preview))
EXCHANGE_QUERIES = {
    "exchanges": ListField(EXCHANGES, "Exchanges. For staff.", permission=_VIEWING),
    "exchange": SingleField(EXCHANGES, "One exchange. For staff.", permission=_VIEWING),
    "claims": ListField(CLAIMS, "Claims. For staff.", permission=_VIEWING),
    "claim": SingleField(CLAIMS, "One claim. For staff.", permission=_VIEWING),
}
EXCHANGE_MUTATIONS = {
    "exchange_order_items": _change(
        "Exchange units of an order for others at once: a return is requested, stock reserved, nothing refunded.",
        **_exchanging,
    ),
    "preview_order_exchange": _preview(
        "See an order as an exchange would make it, or why it is refused. Nothing changes.", **_exchanging
    ),
    "claim_order_items": _change(
        "Settle a claim about units of an order at once: they come back or are written off. Nothing is refunded.",
        **_claiming,
    ),
    "preview_order_claim": _preview(
        "See an order as a claim would make it, or why it is refused. Nothing changes.", **_claiming
    ),
}
