"""Mutation fields. Each calls one verb in its own transaction, so that a refused one changes nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import graphene
from django.db import transaction
from rest_framework.serializers import Serializer

from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields.envelopes import Envelope, read_envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.roots import Arguments, RootField
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.types.inputs import input_argument, validated
from kit.graphql.types.types import object_type, payload_type
from kit.query.selection import Selection
from kit.reads.plans.bounds import AnswerLimit
from kit.reads.resources import Resource
from kit.rest.requests.inputs import Input
from kit.rest.storage_limits import Adds

Result = TypeVar("Result")


@dataclass(frozen=True)
class Written:
    """The id of the changed row, and values that no later answer shows.

    reader: who may read it now, where that is not who acted.
    """

    id: str
    shown_once: Mapping[str, Any] = field(default_factory=dict)
    reader: Actor | None = None


@dataclass(frozen=True, eq=False)
class Change(RootField):
    """Change a resource and answer with it: `renameApiKey(id: …, input: …) { apiKey { title } }`.

    act: calls the verb with the actor, `id` (what the resource is known by) where `by_id`, and the input's values.
    permission: what staff need; viewing: what they need to read the resource. Those who may change one also see it.
    who: gives who acts, in the place of staff with a permission.
    before_transaction: does what may not happen in the transaction, such as calling a provider. It takes what `act`
        takes, and `idempotency_digest` (None without an Idempotency-Key); it returns further values for `act`.
    """

    resource: Resource
    description: str
    act: Callable[..., Written]
    permission: str | None = None
    viewing: str | None = None
    input: type[Input] | None = None
    by_id: bool = True
    who: Callable[[RequestContext], Actor] | None = None
    before_transaction: Callable[..., Mapping[str, Any]] | None = None
    adds: Adds | None = None

    def type(self) -> Any:
        return payload_type(self.resource)

    def arguments(self) -> dict[str, graphene.Argument]:
        return arguments_of(self.input, key=self.resource.known_by if self.by_id else None)

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        return read_envelope(
            nodes,
            selecting,
            type_name=payload_type(self.resource)._meta.name,
            resources={self.resource.name: self.resource.serializer_class},
        )

    def prepare(self, context: RequestContext, args: Arguments, *, idempotency_digest: str | None) -> Mapping[str, Any]:
        if self.before_transaction is None:
            return {}
        return self.before_transaction(
            actor=self._actor(context), idempotency_digest=idempotency_digest, **values_of(self.input, args)
        )

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        actor, values = self._actor(context), values_of(self.input, args)
        values |= context.before_transaction(lambda: self.prepare(context, args, idempotency_digest=None))
        return _settled(context, lambda: self._changed(actor, plan, values, context.answer_limit))

    def _actor(self, context: RequestContext) -> Actor:
        return self.who(context) if self.who else context.actor(self.permission)

    def _changed(
        self, actor: Actor, plan: Envelope, values: Mapping[str, Any], answer_limit: AnswerLimit
    ) -> PreshapedValue:
        written = self.act(actor=actor, **values)
        reader = written.reader or (actor.with_permission(self.viewing) if self.viewing else actor)
        return plan.filled({}, _read_back(self.resource, written, plan, reader, answer_limit))


@dataclass(frozen=True, eq=False)
class Removal(RootField):
    """Take a part out of a resource: `deleteAddress(id: …) { deleted parent { … } }`.

    answers: as REST's answer, with the resource as `parent`. object: what REST calls the part.
    act: calls the verb with the actor and `id`, that of the part; gives what it was taken from. who: gives who acts.
    """

    answers: type[Serializer[Any]]
    object: str
    parent: Resource
    description: str
    act: Callable[..., Written]
    who: Callable[[RequestContext], Actor]

    def type(self) -> Any:
        return object_type(self.answers)

    def arguments(self) -> dict[str, graphene.Argument]:
        return arguments_of(None, key="id")

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        return read_envelope(
            nodes,
            selecting,
            type_name=object_type(self.answers)._meta.name,
            resources={"parent": self.parent.serializer_class},
        )

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        actor = self.who(context)
        return _settled(context, lambda: self._removed(actor, plan, args["id"], context.answer_limit))

    def _removed(self, actor: Actor, plan: Envelope, id: str, answer_limit: AnswerLimit) -> PreshapedValue:
        written = self.act(actor=actor, id=id)
        values = {"id": id, "object": self.object, "deleted": True}
        return plan.filled(values, _read_back(self.parent, written, plan, actor, answer_limit))


@dataclass(frozen=True, eq=False)
class Action(RootField):
    """Do something whose answer is no resource: `deleteApiKey(id: …) { deleted }`.

    act: gets who asks, then `id` where `by_id`, and the input's values; gives what `answers` describes.
    accepts_idempotency_key: without it, the work is no transaction's either, and is never repeated.
    """

    answers: type[Serializer[Any]]
    description: str
    act: Callable[..., Mapping[str, Any]]
    input: type[Input] | None = None
    by_id: bool = False
    accepts_idempotency_key: bool = True
    adds: Adds | None = None

    def type(self) -> Any:
        return object_type(self.answers)

    def arguments(self) -> dict[str, graphene.Argument]:
        return arguments_of(self.input, key="id" if self.by_id else None)

    def plan(self, nodes: Nodes, selecting: Selecting) -> None:
        """Nothing: graphql-core completes so small an answer."""

    def answer(self, context: RequestContext, plan: None, args: Arguments) -> Mapping[str, Any]:
        values = values_of(self.input, args)
        if not self.accepts_idempotency_key:
            return self.act(context, **values)
        return _settled(context, lambda: self.act(context, **values))


def written_by(verb: Callable[..., object], key: str) -> Callable[..., Written]:
    """For `Change.act`: calls the verb with the resource's id as that parameter, and with the input's values."""

    def act(*, actor: Actor, id: str, **given: Any) -> Written:
        verb(actor=actor, **{key: id}, **given)
        return Written(id)

    return act


def arguments_of(input_class: type[Input] | None, *, key: str | None) -> dict[str, graphene.Argument]:
    """What a changing field takes: what is changed by its key, where it has one, and its input."""
    own = {} if key is None else {key: graphene.Argument(graphene.ID, required=True)}
    return own if input_class is None else {**own, "input": input_argument(input_class)}


def values_of(input_class: type[Input] | None, args: Arguments) -> dict[str, Any]:
    """The arguments as values that the input class has found valid. Raises InvalidData."""
    return {**{name: value for name, value in args.items() if name != "input"}, **validated(input_class, args)}


def _read_back(
    resource: Resource, written: Written, plan: Envelope, reader: Actor, answer_limit: AnswerLimit
) -> dict[str, Any]:
    """What the selection asks for of the changed resource, by response key."""
    key_alone = resource.single_query({}, Selection((resource.key,)))
    shown: dict[str, Any] = {}
    for key, selection in plan.selections.items():
        query = replace(key_alone, selection=selection, answer_limit=answer_limit)
        shown[key] = {**resource.one(written.id, query, reader), **_once(written, selection)}
    return shown


def _once(written: Written, selection: Selection) -> dict[str, Any]:
    names = dict(selection.names)
    shown = {key: written.shown_once.get(str(names.get(key, key))) for key in selection.scalars}
    return {key: value for key, value in shown.items() if value is not None}


def _settled(context: RequestContext, work: Callable[[], Result]) -> Result:
    """The work in a transaction, run again where it lost a race; where all of the request is repeated, it alone is."""

    def whole() -> Result:
        with transaction.atomic():
            return work()

    return whole() if context.is_repeated else retry_on_conflict(whole)
