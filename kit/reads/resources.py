"""Resources that can be read: each is declared once, and offered by every transport.

Each app lists its own in `api/resources.py`. REST routes (kit/rest/reads.py) and GraphQL fields (kit/graphql) are made
from them, so that both accept and refuse the same parameters and run the same statements.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from django.utils.text import capfirst

from kit.database.read_snapshot import in_read_snapshot
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import InvalidData, NotFound, shown
from kit.query.paging import Order, parse_order, parse_page
from kit.query.selection import Selection
from kit.reads.computed_orders import ComputedOrder
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.shapes import shape_of
from kit.reads.declarations.sorting import sortable
from kit.reads.filters.field_sets import FieldSet
from kit.reads.filters.filtering import ResourceFilterSet, Searching
from kit.reads.filters.former_values import FormerValues
from kit.reads.plans.rows import Answer
from kit.reads.ranked_orders import RELEVANCE, ranked_order
from kit.reads.reading import Listed, ListQuery, WiderCondition, read_one, read_page
from kit.search.documents import document_field


@dataclass(frozen=True)
class ContextParameters:
    """Parameters that computed fields depend on besides the row, such as the region that a price is for.

    parameters: their names and descriptions; the values are texts.
    parse: turns them into the `Batch.context` of the fields' loaders. Raises InvalidData naming a parameter.
    """

    parameters: Mapping[str, str]
    parse: Callable[[Mapping[str, str], Actor], Any]


@dataclass(frozen=True, eq=False)
class Resource:
    """name, plural: the keys in responses, `product_category` and `product_categories`.

    defaults, offered, always: those of the FieldSet.
    default_order: in the syntax of the `order` parameter, `-created_at`.
    list_defaults: the defaults of the list, if they differ from those of a single resource.
    defaults_in_context: fields added to the defaults if a request names context_parameters.
    orders_in_context: further orders of the list, for requests that name context_parameters.
    widening: boolean parameters and the relation that each extends to its whole chain or tree.
    key_is_lower_case: whether the key is accepted in any letter case.
    former_values: by which values, that a column had before, the list finds rows, too.
    adds_up: whether its columns add up other rows, so that a single resource is read from one snapshot.
    """

    name: str
    plural: str
    serializer_class: ResourceSerializerClass
    filterset_class: type[ResourceFilterSet]
    default_limit: int
    defaults: str = ""
    list_defaults: str | None = None
    offered: frozenset[str] | None = None
    always: str = ""
    default_order: str | None = None
    widening: Mapping[str, str] = field(default_factory=dict)
    context_parameters: ContextParameters | None = None
    defaults_in_context: str = ""
    orders_in_context: tuple[ComputedOrder, ...] = ()
    key_is_lower_case: bool = False
    former_values: FormerValues | None = None
    adds_up: bool = False

    @property
    def key(self) -> str:
        """The column that identifies a resource: its id, or for a currency its code."""
        return str(self.serializer_class.Meta.model._meta.pk.attname)

    @property
    def known_by(self) -> str:
        """The parameter that identifies a resource."""
        return self.key

    @cached_property
    def field_set(self) -> FieldSet:
        """The fields that `fields` can select."""
        return self._field_set()

    @cached_property
    def list_field_set(self) -> FieldSet:
        """The fields that `fields` can select in a list."""
        return self.field_set if self.list_defaults is None else self._of_defaults(self.list_defaults)

    @cached_property
    def field_set_in_context(self) -> FieldSet:
        """The same, for a request that names context_parameters."""
        return self._field_set(self.defaults_in_context)

    @cached_property
    def orders(self) -> Mapping[str, Any]:
        """The keys that `order` accepts."""
        ranked = {RELEVANCE: RELEVANCE} if document_field(self.serializer_class.Meta.model) else {}
        return {**sortable(self.serializer_class), **{order.name: order for order in self.orders_in_context}, **ranked}

    @property
    def parameters_of_one(self) -> tuple[str, ...]:
        """The parameters of a single resource, besides its id."""
        return ("fields", *self.widening, *(self.context_parameters.parameters if self.context_parameters else ()))

    def list_query(
        self, parameters: Mapping[str, Any], selection: Selection | None = None, searching: Searching | None = None
    ) -> ListQuery:
        """The query of these parameters; `selection` replaces their `fields`.

        searching: shared by the lists of one request, if it asks for several.
        Raises InvalidData naming the first parameter that is unknown or malformed.
        """
        left = dict(parameters)
        one = self._shared_query(left, selection, self.list_field_set)
        order = left.pop("order", None)
        listed = replace(
            one,
            order=self._order(order, one.context),
            page=parse_page(left.pop("limit", None), left.pop("offset", None), default_limit=self.default_limit),
            with_deleted=flag("with_deleted", left.pop("with_deleted", "false")),
            condition=self.filterset_class.parse(left, searching),
        )
        by_relevance = RELEVANCE in self.orders and order in (None, RELEVANCE)
        if by_relevance:
            listed = replace(listed, order=ranked_order(listed.order, listed.condition))
        return _with_former_values(listed, self.former_values) if self.former_values else listed

    def single_query(self, parameters: Mapping[str, Any], selection: Selection | None = None) -> ListQuery:
        """Like list_query, for parameters_of_one; others are refused."""
        left = dict(parameters)
        query = self._shared_query(left, selection, self.field_set)
        if left:
            raise InvalidData(f"Invalid request: Unrecognized fields: '{', '.join(map(shown, left))}'")
        return query

    def page(self, query: ListQuery, actor: Actor) -> Listed:
        """The page of the query, and the number of all rows."""
        return read_page(self.serializer_class, self._with_context(query, actor), actor)

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """The resource with that id. Raises NotFound if the actor may not see it."""
        read = partial(self._answer, id, query, actor)
        answer = in_read_snapshot(read) if self.adds_up else read()
        if answer is None:
            name = self.serializer_class.Meta.model._meta.verbose_name
            raise NotFound(missing(f"{capfirst(name)}", id))
        return answer

    def _answer(self, id: str, query: ListQuery, actor: Actor) -> Answer | None:
        known_by = id.lower() if self.key_is_lower_case else id
        return read_one(self.serializer_class, known_by, self._with_context(query, actor), actor)

    def _field_set(self, *more_defaults: str) -> FieldSet:
        defaults = filter(None, (self.defaults, *self.serializer_class.entered_defaults, *more_defaults))
        return self._of_defaults(",".join(defaults))

    def _of_defaults(self, defaults: str) -> FieldSet:
        shape = lambda: shape_of(self.serializer_class)  # noqa: E731 - called with the first request
        return FieldSet(shape, defaults=defaults, offered=self.offered, always=self.always)

    def _shared_query(self, parameters: dict[str, Any], selection: Selection | None, field_set: FieldSet) -> ListQuery:
        """Removes the parameters that lists and single resources share, and returns their query."""
        context = {}
        for name in self.context_parameters.parameters if self.context_parameters else ():
            if (value := text(name, parameters.pop(name, None))) is not None:
                context[name] = value
        if selection is None:
            offered = self.field_set_in_context if context else field_set
            selection = offered.parse(text("fields", parameters.pop("fields", None)))
        widened = frozenset(
            relation for name, relation in self.widening.items() if flag(name, parameters.pop(name, "false"))
        )
        return ListQuery(selection, widened=widened, context=context)

    def _order(self, value: object, context: Mapping[str, Any]) -> Order:
        order = parse_order(self.default_order if value is None else text("order", value), sortable=self.orders)
        if isinstance(order.key, ComputedOrder) and self.context_parameters is not None and not context:
            needed = ", ".join(f"'{name}'" for name in self.context_parameters.parameters)
            raise InvalidData(f"Order field {order.key.name} needs one of the fields {needed}")
        if order == Order(RELEVANCE, descending=True):
            raise InvalidData(f"Order field {RELEVANCE} is always the best first: leave out the '-'")
        return order

    def _with_context(self, query: ListQuery, actor: Actor) -> ListQuery:
        if self.context_parameters is None:
            return query
        return replace(query, context=self.context_parameters.parse(query.context, actor))


def _with_former_values(query: ListQuery, former: FormerValues) -> ListQuery:
    """The query that finds rows by former values, too: by a second statement if the first one can show the need."""
    wider, number = former.widened(query.condition), former.count_values(query.condition)
    if number is None or query.with_deleted:  # of deleted rows, several can have one value
        return replace(query, condition=wider)
    return replace(query, wider=WiderCondition(wider, number))


def text(name: str, value: object) -> str | None:
    """The parameter's text, None if it is absent. Raises InvalidData for a list or an object."""
    if value is None or isinstance(value, str):
        return value
    raise InvalidData(f"Invalid request: Expected type: 'string' for field '{name}', got: '{shown(value)}'")


def flag(name: str, value: object) -> bool:
    """The parameter as a bool: `true` or `false` in any letter case. Raises InvalidData for other values."""
    known = {"true": True, "false": False}.get(value.lower()) if isinstance(value, str) else None
    if known is None:
        raise InvalidData(f"Invalid request: Expected type: 'boolean' for field '{name}', got: '{shown(value)}'")
    return known
