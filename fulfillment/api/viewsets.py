"""The routes of shipping."""

from typing import Any

from rest_framework.request import Request

from carts.api.resources import CARTS
from commerce.kit.api.preparation import before_transaction
from commerce.kit.api.reads import List, ReadEndpoint
from commerce.kit.api.viewsets import StoreEndpoint
from commerce.kit.api.writes import WriteEndpoint
from fulfillment import calculation, method_choice
from fulfillment.api.resources import SHIPPING_OPTIONS
from fulfillment.api.serializers import CalculationInput, ShippingMethodInput, ShippingMethodsInput
from fulfillment.quotes import ProviderPrice
from fulfillment.shown_offers import show


class ShippingOptions(List, StoreEndpoint):
    """The ways of shipping that a cart may choose from: for its address, its goods and what it costs."""

    resource = SHIPPING_OPTIONS


class Calculations(ReadEndpoint, StoreEndpoint):
    """What providers say. Nothing is changed, so that no Idempotency-Key is needed and no answer kept."""

    resource = SHIPPING_OPTIONS
    inputs = {"calculate": CalculationInput}
    accepts_idempotency_key = False

    def calculate(self, request: Request, id: str) -> dict[str, Any]:
        """Calculate the price of a shipping option for a cart."""
        offer = calculation.calculate(actor=self.actor, option_id=id, **self.body())
        return {self.resource.name: self.resource.shown(show([offer]), self.asked.selection)[0]}


class CartShippingMethods(WriteEndpoint, StoreEndpoint):
    """How a cart is shipped."""

    resource = CARTS
    private = True
    inputs = {"choose": ShippingMethodInput, "remove": ShippingMethodsInput}

    def ask(self, request: Request, id: str) -> ProviderPrice | None:
        """The price of the option's provider."""
        return method_choice.ask_before(actor=self.actor, cart_id=id, **self.body())

    @before_transaction(ask)
    def choose(self, request: Request, quoted: ProviderPrice | None, id: str) -> dict[str, Any]:
        """Add a shipping method to a cart. It replaces the method for goods of the same profile."""
        method_choice.choose(actor=self.actor, cart_id=id, **self.body(), quoted=quoted)
        return self.written(id)

    def remove(self, request: Request, id: str) -> dict[str, Any]:
        """Remove shipping methods from a cart, all of them where none are named."""
        method_choice.remove(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)
