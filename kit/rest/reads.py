"""Reading routes: list and retrieve, built from a Resource."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from rest_framework.request import Request

from kit.domain.actor import Actor
from kit.query.conditions import Every, Is
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from kit.rest.endpoint import Endpoint


class ReadEndpoint(Endpoint):
    """What every reading route declares.

    resources: what actions send that do not send the resource as it is read: other fields, or what holds it.
    within: the column that holds the `id` of the path, where that names what the rows belong to.
    own_parameters: of the route alone, besides the resource's, with their descriptions; `offered` names them, too.
    """

    resource: ClassVar[Resource]
    resources: ClassVar[Mapping[str, Resource]] = {}
    within: ClassVar[str] = ""
    own_parameters: ClassVar[Mapping[str, str]] = {}
    read_query: ListQuery

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, wherever the resource is answered, and where it is only read what reading it depends on."""
        if action in cls.answers:
            return super().offered(action)
        return cls.resource.parameters_of_one if action == "retrieve" else ("fields",)

    @classmethod
    def answered(cls, action: str) -> Resource:
        """What the action sends."""
        return cls.resources.get(action, cls.resource)

    def take_query(self) -> None:
        """The selection too, before the handler runs: a bad one changes nothing."""
        super().take_query()
        self.read_query = self.inside(self.answered(self.action).single_query(self.query))

    def inside(self, query: ListQuery) -> ListQuery:
        """The query of rows that belong to what the path names."""
        if not self.within:
            return query
        return replace(query, condition=Every((query.condition, Is(self.within, self.kwargs["id"]))))

    def read(self, id: str, *, actor: Actor) -> dict[str, Any]:
        """The resource with that id, as the query asks. Raises NotFound where the actor may not see it."""
        return self.answered(self.action).one(id, self.read_query, actor)


class Retrieve(ReadEndpoint):
    """GET /{id}: `fields`, the route's widening flags, and what its computed fields depend on."""

    def retrieve(self, request: Request, **key: str) -> dict[str, Any]:
        """The last parameter of the path is the row's primary key, whatever its name."""
        *_, value = key.values()
        return {self.resource.name: self.read(value, actor=self.actor)}


class List(ReadEndpoint):
    """GET of the collection: fields, filters, order, page, count."""

    def take_query(self) -> None:
        """For the list, its filters know what they take."""
        if self.action == "list":
            self.read_query = self.inside(self.list_query(self.request.META.get("QUERY_STRING", "")))
        else:
            super().take_query()

    def list(self, request: Request, **above: str) -> dict[str, Any]:
        query = self.read_query
        listed = self.resource.page(query, self.actor)
        return {
            self.resource.plural: listed.answers,
            "count": listed.count,
            "estimate_count": listed.count,
            "offset": query.page.offset,
            "limit": query.page.limit,
        }

    @classmethod
    def list_query(cls, query_string: str) -> ListQuery:
        """What the query string asks for; storefronts send the same ones again and again, so their meaning is kept.

        Raises InvalidData naming the first parameter that is unknown or malformed.
        """
        if len(query_string) > _KEPT_LENGTH:
            return _parse(cls, query_string)
        return _parse_once(cls, query_string)  # type: ignore[arg-type]  # every class can be hashed


_KEPT_LENGTH = 300


@lru_cache(maxsize=512)
def _parse_once(endpoint: type[List], query_string: str) -> ListQuery:
    return _parse(endpoint, query_string)


def _parse(endpoint: type[List], query_string: str) -> ListQuery:
    return endpoint.resource.list_query(endpoint.parameters(query_string))
