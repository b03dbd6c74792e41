"""The base of the routes of exchanges and claims. `id` is that of the exchange or claim."""

from collections.abc import Collection
from typing import ClassVar, NamedTuple

from kit.query.selection import Selection
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject
from orders.api.resources.edits import ChangesOfKind
from orders.api.resources.previews import preview
from orders.api.resources.returns_to_come import return_of_change
from orders.api.viewsets.admin_orders import VIEWING_ORDERS
from orders.common.change_ids import change_id_of

_VIEWING_RETURNS = "orders.view_return"


class ChangeAndOrder(NamedTuple):
    """change_id: of the exchange or claim."""

    change_id: str
    order_id: str


class GoodsChanges(WriteEndpoint, AdminEndpoint):
    """Base of the routes of exchanges and claims, which show what they did to those who may do it."""

    resource: ClassVar[ChangesOfKind]

    @property
    def noun(self) -> str:
        """In descriptions of its routes: `exchange` or `claim`."""
        return self.resource.name

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """`fields`, which choose those of the exchange or claim."""
        return ("fields",) if action in cls.answers else super().offered(action)

    def change_and_order(self, id: str) -> ChangeAndOrder:
        """The change that it is, and its order. Raises NotFound."""
        query = self.resource.single_query({}, Selection(("order_id",)))
        named = self.resource.one(id, query, self.actor.with_permission(VIEWING_ORDERS))
        return ChangeAndOrder(change_id_of(id, self.resource.kind), named["order_id"])

    def shown(self, id: str) -> JSONObject:
        """The exchange or claim."""
        return {self.resource.name: self.read(id, actor=self.actor.with_permission(VIEWING_ORDERS))}

    def previewed(self, found: ChangeAndOrder) -> JSONObject:
        """The order with the exchange or claim."""
        return {"order_preview": preview(found.order_id, self.actor.with_permission(VIEWING_ORDERS), of_stored=True)}

    def changed(self, id: str, found: ChangeAndOrder) -> JSONObject:
        """Both."""
        return {**self.previewed(found), **self.shown(id)}

    def returned(self, found: ChangeAndOrder) -> JSONObject:
        """The return that it makes, or will make."""
        return {"return": return_of_change(found.change_id, self.actor.with_permission(_VIEWING_RETURNS))}
