"""Fields that work something out and change nothing, though what they ask of others may take its time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import graphene

from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope, read_envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import arguments_of, values_of
from kit.graphql.fields.roots import Arguments, RootField
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.types.types import payload_type
from kit.reads.computed_resources import ComputedResource
from kit.rest.requests.inputs import Input


@dataclass(frozen=True, eq=False)
class Calculation(RootField):
    """`calculateShippingOption(id: …, input: …) { shippingOption { amount } }`, in no transaction.

    act: gets the shopper, `id`, and the input's values; gives the row of the resource as its `load` gives rows.
    """

    resource: ComputedResource
    description: str
    act: Callable[..., Mapping[str, Any]]
    input: type[Input]
    accepts_idempotency_key: bool = False

    def type(self) -> Any:
        return payload_type(self.resource)

    def arguments(self) -> dict[str, graphene.Argument]:
        return arguments_of(self.input, key="id")

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        return read_envelope(
            nodes,
            selecting,
            type_name=payload_type(self.resource)._meta.name,
            resources={self.resource.name: self.resource.serializer_class},
        )

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        row = self.act(actor=context.shopper, **values_of(self.input, args))
        shown = {key: self.resource.shown([row], each)[0] for key, each in plan.selections.items()}
        return plan.filled({}, shown)
