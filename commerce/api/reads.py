"""Reading routes: list and retrieve, out of a serializer class, a field set and a FilterSet."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from django.utils.text import capfirst
from rest_framework.request import Request

from commerce.api.viewsets import Endpoint
from commerce.core.actor import Actor
from commerce.core.errors import InvalidData, NotFound
from commerce.core.filtering import ResourceFilterSet
from commerce.core.paging import parse_order, parse_page, shown
from commerce.core.selection import FieldSet, Selection
from commerce.projection.fields import ResourceSerializerClass
from commerce.projection.reading import ListQuery, read_one, read_page
from commerce.projection.sorting import sortable


class ReadEndpoint(Endpoint):
    """What every reading route declares.

    resource, resources: the keys of the answer, `product_category` and `product_categories`.
    field_set: what `fields` selects from; field_sets: the same for actions that differ.
    widening: boolean parameters and the relation that each extends to its whole chain or tree.
    """

    resource: ClassVar[str]
    resources: ClassVar[str]
    serializer_class: ResourceSerializerClass
    field_set: ClassVar[FieldSet]
    field_sets: ClassVar[Mapping[str, FieldSet]] = {}
    widening: ClassVar[Mapping[str, str]] = {}
    selection: Selection

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, wherever the resource is answered, and where it is only read the flags."""
        if action in cls.answers:
            return super().offered(action)
        return ("fields", *cls.widening) if action == "retrieve" else ("fields",)

    def take_query(self) -> None:
        """The selection too, before the handler runs: a bad one changes nothing."""
        super().take_query()
        field_set = self.field_sets.get(self.action, self.field_set)
        self.selection = field_set.parse(_text("fields", self.query.get("fields")))

    def read(
        self, id: str, selection: Selection, *, actor: Actor, widened: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """The resource with that id. Raises NotFound where the actor may not see it."""
        found = read_one(self.serializer_class, id, ListQuery(selection, widened=widened), actor)
        if found is None:
            title = self.serializer_class.Meta.model._meta.verbose_name
            raise NotFound(f"{capfirst(title)} with id: {shown(id)} was not found")
        return found


class Retrieve(ReadEndpoint):
    """GET /{id}: `fields` and the route's widening flags."""

    def retrieve(self, request: Request, id: str) -> dict[str, Any]:
        widened = _take_widened(self.widening, self.query)
        return {self.resource: self.read(id, self.selection, actor=self.actor, widened=widened)}


class List(ReadEndpoint):
    """GET of the collection: fields, filters, order, page, count."""

    filterset_class: ClassVar[type[ResourceFilterSet]]
    default_limit: ClassVar[int]

    def take_query(self) -> None:
        """For the list, its filters know what they take."""
        if self.action == "list":
            self.asked = self.list_query(self.request.META.get("QUERY_STRING", ""))
        else:
            super().take_query()

    def list(self, request: Request) -> dict[str, Any]:
        query = self.asked
        listed = read_page(self.serializer_class, query, self.actor)
        return {
            self.resources: listed.answers,
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
        return (_parse_once if len(query_string) <= _KEPT_LENGTH else _parse)(cls, query_string)


_KEPT_LENGTH = 300


@lru_cache(maxsize=512)
def _parse_once(endpoint: type[List], query_string: str) -> ListQuery:
    return _parse(endpoint, query_string)


def _parse(endpoint: type[List], query_string: str) -> ListQuery:
    parameters = endpoint.parameters(query_string)
    take = parameters.pop
    return ListQuery(
        selection=endpoint.field_set.parse(_text("fields", take("fields", None))),
        order=parse_order(_text("order", take("order", None)), sortable=sortable(endpoint.serializer_class)),
        page=parse_page(take("limit", None), take("offset", None), default_limit=endpoint.default_limit),
        with_deleted=_flag("with_deleted", take("with_deleted", "false")),
        widened=_take_widened(endpoint.widening, parameters),
        condition=endpoint.filterset_class.parse(parameters),
    )


def _take_widened(widening: Mapping[str, str], parameters: dict[str, Any]) -> frozenset[str]:
    """The relations whose flags are set among the parameters; the flags are taken out."""
    return frozenset(relation for name, relation in widening.items() if _flag(name, parameters.pop(name, "false")))


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise InvalidData(f"Invalid request: Expected type: 'string' for field '{name}', got: '{shown(value)}'")


def _flag(name: str, value: object) -> bool:
    known = {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None
    if known is None:
        raise InvalidData(f"Invalid request: Expected type: 'boolean' for field '{name}', got: '{shown(value)}'")
    return known
