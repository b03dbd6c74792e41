"""Reading fields: a resource's list and one of its rows by id, built from the same Resource as REST's routes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kit.domain.actor import Actor
from kit.graphql.context import RequestContext
from kit.graphql.fields import arguments
from kit.graphql.fields.envelopes import Envelope, read_envelope
from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.roots import Arguments, RootField
from kit.graphql.fields.selections import Nodes, Selecting
from kit.graphql.types.types import object_type, page_type
from kit.query.paging import Page
from kit.query.selection import Selection
from kit.reads.resources import Resource

_COUNT_ALONE = Page(limit=0)


@dataclass(frozen=True, eq=False)
class ReadField(RootField):
    """permission: what staff need to read the resource; without one it belongs to the store, as its shoppers see it.

    who: gives who reads it, in the place of either.
    """

    resource: Resource
    description: str
    permission: str | None = None
    who: Callable[[RequestContext], Actor] | None = None
    is_catalogue: bool = False

    def reader(self, context: RequestContext) -> Actor:
        """Who reads. Raises AuthenticationRequired, Forbidden."""
        return self.who(context) if self.who else context.actor(self.permission)


class ListField(ReadField):
    """`productCategories(q: "tea") { productCategories { name } count }`."""

    def type(self) -> Any:
        return page_type(self.resource)

    def arguments(self) -> arguments.Arguments:
        return arguments.list_arguments(self.resource)

    def plan(self, nodes: Nodes, selecting: Selecting) -> Envelope:
        return read_envelope(
            nodes,
            selecting,
            type_name=page_type(self.resource)._meta.name,
            resources={self.resource.plural: self.resource.serializer_class},
        )

    def searched_words(self, plan: Envelope, args: Arguments) -> int:
        return arguments.searched_words(self.resource, args) * max(1, len(plan.selections))

    def answer(self, context: RequestContext, plan: Envelope, args: Arguments) -> PreshapedValue:
        actor = self.reader(context)
        parameters = arguments.list_parameters(self.resource, args)
        # Each selection is a page of its own, with its own search.
        queries = [
            replace(
                self.resource.list_query(parameters, selection, context.searching), answer_limit=context.answer_limit
            )
            for selection in plan.selections.values() or [Selection((self.resource.key,))]
        ]
        query = queries[0]
        pages = {key: self.resource.page(each, actor) for key, each in zip(plan.selections, queries, strict=False)}
        count = next((page.count for page in pages.values()), 0)
        if not pages and plan.asks_for("count", "estimateCount"):
            count = self.resource.page(replace(query, page=_COUNT_ALONE), actor).count
        numbers = {"count": count, "estimateCount": count, "offset": query.page.offset, "limit": query.page.limit}
        return plan.filled(numbers, {key: page.answers for key, page in pages.items()})


class SingleField(ReadField):
    """`productCategory(id: "pcat_…") { name }`."""

    def type(self) -> Any:
        return object_type(self.resource.serializer_class)

    def arguments(self) -> arguments.Arguments:
        return arguments.single_arguments(self.resource)

    def plan(self, nodes: Nodes, selecting: Selecting) -> Selection:
        return selecting.selection(self.resource.serializer_class, nodes)

    def answer(self, context: RequestContext, plan: Selection, args: Arguments) -> PreshapedValue:
        actor = self.reader(context)
        query = self.resource.single_query(arguments.single_parameters(self.resource, args), plan)
        query = replace(query, answer_limit=context.answer_limit)
        return PreshapedValue(self.resource.one(args[self.resource.known_by], query, actor))


catalogue_list, catalogue_single = partial(ListField, is_catalogue=True), partial(SingleField, is_catalogue=True)


@dataclass(frozen=True, eq=False)
class OwnField(RootField):
    """`me { firstName }`: the one row of the resource that is the caller. who: gives them, a customer or staff."""

    resource: Resource
    description: str
    who: Callable[[RequestContext], Actor]

    def type(self) -> Any:
        return object_type(self.resource.serializer_class)

    def arguments(self) -> arguments.Arguments:
        return {}

    def plan(self, nodes: Nodes, selecting: Selecting) -> Selection:
        return selecting.selection(self.resource.serializer_class, nodes)

    def answer(self, context: RequestContext, plan: Selection, args: Arguments) -> PreshapedValue:
        actor = self.who(context)
        assert actor.id is not None  # noqa: S101 - who has signed in has an id
        query = replace(self.resource.single_query({}, plan), answer_limit=context.answer_limit)
        return PreshapedValue(self.resource.one(actor.id, query, actor))
