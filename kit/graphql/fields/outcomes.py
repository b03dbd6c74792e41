"""Mutations that return one of several resources. All of their work is done before the request's transaction."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import graphene

from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope, read_envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.mutations import arguments_of
from kit.graphql.fields.roots import Arguments, RootField
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.types.types import outcome_type
from kit.query.selection import Selection
from kit.reads.computed_resources import ComputedResource, Shown
from kit.reads.resources import Resource

_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Outcome:
    """resource, id: the name and id of the returned resource. reason: why it is not the intended one."""

    resource: str
    id: str
    reason: Shown | None = None


@dataclass(frozen=True, eq=False)
class OutcomeChange(RootField):
    """`completeCart(id: …) { type order { id } cart { id } error { message } }`.

    resources: those it may return. The first is the intended one; a response with any other is not stored under an
    Idempotency-Key. reasons: describes why it returned another. work: receives actor, `id` and `idempotency_digest`.
    """

    name: str
    resources: tuple[Resource, ...]
    reasons: ComputedResource
    description: str
    work: Callable[..., Outcome]

    def type(self) -> Any:
        return outcome_type(self.name, self.description, (*self.resources, self.reasons))

    def arguments(self) -> Mapping[str, graphene.Argument]:
        return arguments_of(None, key="id")

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        known = {each.name: each.serializer_class for each in (*self.resources, self.reasons)}
        return read_envelope(nodes, selecting, type_name=self.name, resources=known)

    def before_transaction(self, **args: Any) -> Mapping[str, Any]:
        """All of the work."""
        return {_OUTCOME: self.work(**args)}

    def prepare(self, context: RequestContext, args: Arguments, *, idempotency_digest: str | None) -> Mapping[str, Any]:
        return self.before_transaction(actor=context.shopper, id=args["id"], idempotency_digest=idempotency_digest)

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        done = context.before_transaction(lambda: self.prepare(context, args, idempotency_digest=None))[_OUTCOME]
        shown = {
            key: self._shown(context, done, plan.members[key], selection) for key, selection in plan.selections.items()
        }
        return plan.filled({"type": done.resource}, shown)

    def is_final(self, context: RequestContext) -> bool:
        """A refused mutation is not final either."""
        prepared = context.preparation
        if prepared is None or prepared.failure is not None:
            return False
        return bool(prepared.result()[_OUTCOME].resource == self.resources[0].name)

    def _shown(self, context: RequestContext, done: Outcome, member: str, selection: Selection) -> Any:
        if member == self.reasons.name:
            return None if done.reason is None else self.reasons.shown([done.reason], selection)[0]
        if member != done.resource:
            return None
        (resource,) = (each for each in self.resources if each.name == member)
        key_alone = resource.single_query({}, Selection((resource.key,)))
        return resource.one(
            done.id, replace(key_alone, selection=selection, answer_limit=context.answer_limit), context.shopper
        )
