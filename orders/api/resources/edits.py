"""Changes of orders as resources: edits, exchanges, claims, all of these, and with returns the list of an order."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import NotFound
from kit.query.conditions import Every, Is
from kit.query.paging import Page
from kit.query.selection import Selection
from kit.reads.declarations.shapes import shape_of
from kit.reads.plans.rows import Answer
from kit.reads.reading import Listed, ListQuery
from kit.reads.resources import Resource
from orders.api.filters import ClaimFilters, ExchangeFilters, OrderEditFilters
from orders.api.resources.admin_orders import ORDER_CHANGES
from orders.api.serializers.changes.edits import OrderEditActionSerializer, OrderEditSerializer
from orders.api.serializers.changes.exchanges import ClaimSerializer, ExchangeSerializer
from orders.api.serializers.changes.returns import OrderChangeActionSerializer
from orders.common.change_ids import change_id_of
from orders.states import ChangeKind


@dataclass(frozen=True, eq=False)
class ChangesOfKind(Resource):
    """Changes of one kind. Exchanges and claims are known by ids of their own."""

    kind: ChangeKind = ChangeKind.EDIT

    def page(self, query: ListQuery, actor: Actor) -> Listed:
        return super().page(self._own(query), actor)

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        try:
            return super().one(change_id_of(id, self.kind), self._own(query), actor)
        except NotFound as error:
            raise NotFound(missing(self.kind.label, id)) from error

    def _own(self, query: ListQuery) -> ListQuery:
        return replace(query, condition=Every((query.condition, Is("kind", self.kind.value))))


_EDITS: Mapping[str, Any] = {
    "name": "order_change",
    "serializer_class": OrderEditSerializer,
    "filterset_class": OrderEditFilters,
    "default_limit": 50,
    "defaults": "*actions,*order",
    "default_order": "created_at",
}
STORED_CHANGES = Resource(plural="order_changes", **_EDITS)
"""Edits, exchanges, claims and changes of drafts alike."""
ORDER_EDITS = ChangesOfKind(plural="order_edits", **_EDITS)
EXCHANGES = ChangesOfKind(
    name="exchange",
    plural="exchanges",
    serializer_class=ExchangeSerializer,
    filterset_class=ExchangeFilters,
    default_limit=20,
    defaults="*additional_items,*return_items,*shipping_methods",
    default_order="created_at",
    kind=ChangeKind.EXCHANGE,
)
CLAIMS = ChangesOfKind(
    name="claim",
    plural="claims",
    serializer_class=ClaimSerializer,
    filterset_class=ClaimFilters,
    default_limit=20,
    defaults="*additional_items,*claim_items,*shipping_methods,*order,*return,*return.items",
    default_order="created_at",
    kind=ChangeKind.CLAIM,
)


def changes_of(order_id: str, query: ListQuery, parameters: Mapping[str, Any], actor: Actor) -> Listed:
    """The page of an order's changes that a list of changes asks for, and the number of all.

    The return of an exchange or claim is no change of its own.

    Both are read up to the end of the page: an order has few. query: of the returns. parameters: of the request.
    """
    page, order = query.page, str(parameters.get("order") or ORDER_CHANGES.default_order)
    key = order.removeprefix("-")
    own = {name: value for name, value in parameters.items() if name not in _SHARED}
    whole = replace(query, selection=_with(query.selection, key), page=Page(page.offset + page.limit))
    sorted_by = STORED_CHANGES.list_query({"order": order} if key in STORED_CHANGES.orders else {}).order
    of_stored = replace(whole, condition=OrderEditFilters.parse(own), order=sorted_by, selection=_shown(whole))
    of_returns = replace(whole, condition=Every((whole.condition, Is("change__isnull", True))))
    listed = [
        resource.page(replace(each, condition=Every((each.condition, Is("order_id", order_id)))), actor)
        for resource, each in ((ORDER_CHANGES, of_returns), (STORED_CHANGES, of_stored))
    ]
    answers = [answer for each in listed for answer in each.answers]
    if listed[1].answers:
        answers.sort(key=lambda answer: _placed(answer.get(key)), reverse=order.startswith("-"))
    chosen = answers[page.offset : page.offset + page.limit]
    if key not in query.selection.scalars:
        chosen = [{name: value for name, value in answer.items() if name != key} for answer in chosen]
    return Listed(chosen, sum(each.count for each in listed))


def _with(selection: Selection, key: str) -> Selection:
    """The selection with the column by which the list is sorted; one of a related row sorts returns alone."""
    if "." in key or key in selection.scalars:
        return selection
    return replace(selection, scalars=(*selection.scalars, key))


def _shown(query: ListQuery) -> Selection:
    """What is chosen of returns, for changes that embed no return, and whose actions have fields of their own."""
    scalars, relations = query.selection.scalars, dict(query.selection.relations)
    if relations.pop("return_order", None) is not None:
        scalars = (*scalars, "return_order")
    if (actions := relations.get("actions")) is not None:
        known, returned = shape_of(OrderEditActionSerializer), shape_of(OrderChangeActionSerializer)
        is_whole = set(returned.scalars) <= set(actions.scalars)
        chosen = known.scalars if is_whole else tuple(name for name in actions.scalars if name in known.scalars)
        relations["actions"] = Selection(chosen)
    return replace(query.selection, scalars=scalars, relations=tuple(relations.items()))


def _placed(value: Any) -> tuple[bool, Any]:
    """Nulls stand last, as in every list."""
    return value is None, value


_SHARED = ("fields", "order", "limit", "offset", "with_deleted")
