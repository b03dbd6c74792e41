"""What the routes of transfers answer: the order for its customer, a stub for everybody else.

Why: docs/decisions/orders.md#transfers-reveal-nothing.
"""

from collections.abc import Mapping
from dataclasses import fields

from kit.domain.actor import Actor
from kit.query.selection import Constant, Selection
from kit.reads.declarations.fields import Relation, ResourceSerializerClass
from kit.reads.plans.rows import Answer
from kit.reads.reading import ListQuery
from kit.reads.resources import Resource
from kit.values import email_address
from kit.values.timestamps import isoformat
from orders.api.resources.orders import ORDERS, OrderResource
from orders.common.errors import OrderNotFound
from orders.models import Order


class OrderOfTransfer(OrderResource):
    """An order that the caller may not be allowed to see."""

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """The stub holds id, number, status, time and a masked email address; the rest is null.

        It is the same whether the address has an account or not. Raises OrderNotFound.
        """
        found = Order.objects.not_deleted().filter(pk=id, sales_channel_id__in=actor.sales_channel_ids)
        order = found.only("id", "display_id", "status", "created_at", "email", "customer_id").first()
        if order is None:
            raise OrderNotFound(id)
        if actor.type == "customer" and order.customer_id == actor.id:
            return super().one(id, query, actor)
        values = {
            "id": order.pk,
            "display_id": order.display_id,
            "status": order.status,
            "created_at": isoformat(order.created_at),
            "email": order.email and email_address.masked(order.email),
        }
        return _stub(values, query.selection, self.serializer_class)


def _stub(values: Mapping[str, object], selection: Selection, serializer_class: ResourceSerializerClass) -> Answer:
    named, answer = dict(selection.names), Answer()
    for key in selection.order or (*selection.scalars, *(key for key, _ in selection.relations)):
        name = named.get(key, key)
        if isinstance(name, Constant):
            answer[key] = name.value
        elif selection.order is not None and _is_list(serializer_class, name):
            answer[key] = []  # GraphQL declares that lists are never null
        else:
            answer[key] = values.get(name)
    return answer


def _is_list(serializer_class: ResourceSerializerClass, name: str) -> bool:
    field = serializer_class._declared_fields[name]
    return isinstance(field, Relation) and field.many


ORDERS_OF_TRANSFERS = OrderOfTransfer(**{each.name: getattr(ORDERS, each.name) for each in fields(Resource)})
