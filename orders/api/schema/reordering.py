"""Ordering again, in GraphQL."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from carts.api.resources import CARTS
from kit.domain.actor import Actor
from kit.graphql.fields.envelopes import Envelope, read_envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import Written
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.types.types import object_type
from kit.query.selection import Selection
from kit.reads.computed_resources import ComputedResource
from kit.reads.plans.bounds import AnswerLimit
from orders.access.reordering import reorder
from orders.api.added_rows import reordered_lines
from orders.api.resources.completion import NoFilters
from orders.api.schema.transfers import OrderGuess
from orders.api.serializers.completion import LeftOutLineSerializer, ReorderSerializer

_LEFT_OUT = ComputedResource(
    name="left_out_line",
    plural="left_out",
    serializer_class=LeftOutLineSerializer,
    filterset_class=NoFilters,
    default_limit=1,
)


@dataclass(frozen=True, eq=False)
class Reorder(OrderGuess):
    """`reorder(id: …) { cart { id } leftOut { title reason } }`."""

    def type(self) -> Any:
        return object_type(ReorderSerializer)

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        return read_envelope(
            nodes,
            selecting,
            type_name=object_type(ReorderSerializer)._meta.name,
            resources={CARTS.name: CARTS.serializer_class, _LEFT_OUT.plural: LeftOutLineSerializer},
        )

    def _changed(
        self, actor: Actor, plan: Envelope, values: Mapping[str, Any], answer_limit: AnswerLimit
    ) -> PreshapedValue:
        written = self.act(actor=actor, **values)
        query = replace(CARTS.single_query({}, Selection((CARTS.key,))), answer_limit=answer_limit)
        shown = {
            key: CARTS.one(written.id, replace(query, selection=selection), actor)
            if plan.members[key] == CARTS.name
            else _LEFT_OUT.shown(written.shown_once[_LEFT_OUT.plural], selection)
            for key, selection in plan.selections.items()
        }
        return plan.filled({}, shown)


def _reorder(*, actor: Actor, id: str) -> Written:
    made = reorder(actor=actor, order_id=id)
    return Written(made.cart_id, {_LEFT_OUT.plural: [each._asdict() for each in made.left_out]})


REORDER_MUTATIONS = {
    "reorder": Reorder(
        CARTS,
        "Make a new cart of an order's lines, at today's prices; leftOut names those that cannot be bought.",
        act=_reorder,
        adds=reordered_lines,
    )
}
