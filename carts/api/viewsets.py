"""The cart routes."""

from collections.abc import Collection

from rest_framework.request import Request

from carts.api.added_rows import a_line, cart_with_items
from carts.api.guess_limits import CodeMissesCounted
from carts.api.resources import CARTS
from carts.api.serializers import DeletedLineItemSerializer, inputs
from carts.checkout import taxes
from carts.details import creation, details, ownership, promotion_codes
from carts.lines import line_addition, line_change, line_removal
from carts.lines.lines import NewLineItem
from kit.rest.reads import Retrieve
from kit.rest.viewsets import CustomerEndpoint, StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class Carts(CodeMissesCounted, Retrieve, WriteEndpoint, StoreEndpoint):
    """Carts. A guest's cart is open to callers who know its id, a customer's cart to that customer alone."""

    resource = CARTS
    private = True
    inputs = {"create": inputs.CartInput, "change": inputs.CartChangeInput}
    adds = {"create": cart_with_items}

    def create(self, request: Request) -> JSONObject:
        """Create a cart, empty or with items."""
        given = self.body()
        items = [NewLineItem(**item) for item in given.pop("items", ())]
        return self.written(creation.create(actor=self.actor, items=items, **given))

    def change(self, request: Request, id: str) -> JSONObject:
        """Update a cart's region, email, addresses, promotion codes, metadata or locale."""
        details.change(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)

    def calculate_taxes(self, request: Request, id: str) -> JSONObject:
        """Calculate the taxes of a cart, with the current prices."""
        taxes.calculate(actor=self.actor, cart_id=id)
        return self.written(id)


class CartLines(WriteEndpoint, StoreEndpoint):
    """The lines of a cart."""

    resource = CARTS
    private = True
    inputs = {"add": inputs.LineItemInput, "change": inputs.LineItemChangeInput}
    adds = {"add": a_line}
    answers = {"remove": DeletedLineItemSerializer}

    @classmethod
    def offered(cls, action: str) -> Collection[str]:
        """Every answer holds the cart."""
        return ("fields",)

    def add(self, request: Request, id: str) -> JSONObject:
        """Add a variant to a cart. The same variant with the same metadata shares one line."""
        line_addition.add(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)

    def change(self, request: Request, id: str, line_id: str) -> JSONObject:
        """Update a line's quantity or metadata. A quantity of 0 removes the line."""
        line_change.change(actor=self.actor, cart_id=id, line_id=line_id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str, line_id: str) -> JSONObject:
        """Remove a line from a cart."""
        line_removal.remove(actor=self.actor, cart_id=id, line_id=line_id)
        return {"id": line_id, "object": "line-item", "deleted": True, "parent": self.read(id, actor=self.actor)}


class CartPromotions(CodeMissesCounted, WriteEndpoint, StoreEndpoint):
    """The promotion codes of a cart."""

    resource = CARTS
    private = True
    inputs = {"add": inputs.PromotionCodesInput, "remove": inputs.PromotionCodesInput}

    def add(self, request: Request, id: str) -> JSONObject:
        """Add promotion codes to a cart. An empty list removes all of its codes."""
        promotion_codes.add(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)

    def remove(self, request: Request, id: str) -> JSONObject:
        """Remove promotion codes from a cart."""
        promotion_codes.remove(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)


class CartOwner(WriteEndpoint, CustomerEndpoint):
    """The owner of a cart."""

    resource = CARTS

    def take_over(self, request: Request, id: str) -> JSONObject:
        """Assign a guest's cart to the signed-in customer."""
        ownership.take_over(actor=self.actor, cart_id=id)
        return self.written(id)
