"""Edits of orders as a resource, and the list of all changes of an order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kit.domain.actor import Actor
from kit.query.conditions import Every, Is
from kit.query.paging import Page
from kit.query.selection import Selection
from kit.reads.declarations.shapes import shape_of
from kit.reads.reading import Listed, ListQuery
from kit.reads.resources import Resource
from orders.api.filters import OrderEditFilters
from orders.api.resources.admin_orders import ORDER_CHANGES
from orders.api.serializers.changes.edits import OrderEditActionSerializer, OrderEditSerializer
from orders.api.serializers.changes.returns import OrderChangeActionSerializer

ORDER_EDITS = Resource(
    name="order_change",
    plural="order_edits",
    serializer_class=OrderEditSerializer,
    filterset_class=OrderEditFilters,
    default_limit=50,
    defaults="*actions,*order",
    default_order="created_at",
)


def changes_of(order_id: str, query: ListQuery, parameters: Mapping[str, Any], actor: Actor) -> Listed:
    """The page of an order's returns and edits that a list of changes asks for, and the number of all.

    Both are read up to the end of the page: an order has few. query: of the returns. parameters: of the request.
    """
    page, order = query.page, str(parameters.get("order") or ORDER_CHANGES.default_order)
    key = order.removeprefix("-")
    own = {name: value for name, value in parameters.items() if name not in _SHARED}
    whole = replace(query, selection=_with(query.selection, key), page=Page(page.offset + page.limit))
    sorted_by = ORDER_EDITS.list_query({"order": order} if key in ORDER_EDITS.orders else {}).order
    of_edits = replace(whole, condition=OrderEditFilters.parse(own), order=sorted_by, selection=_shown(whole))
    listed = [
        resource.page(replace(each, condition=Every((each.condition, Is("order_id", order_id)))), actor)
        for resource, each in ((ORDER_CHANGES, whole), (ORDER_EDITS, of_edits))
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
    """What is chosen of returns, for edits: they refer to no return, and their actions have fields of their own."""
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
