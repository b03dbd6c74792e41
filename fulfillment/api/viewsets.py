"""The routes of shipping."""

from rest_framework.request import Request

from carts.api.resources import CARTS
from fulfillment.api.resources import SHIPPING_OPTIONS
from fulfillment.api.serializers import CalculationInput, ShippingMethodInput, ShippingMethodsInput
from fulfillment.methods import method_choice
from fulfillment.options import calculation
from fulfillment.options.quotes import ProviderPrice
from fulfillment.options.shown_options import show
from kit.rest.preparation import before_transaction
from kit.rest.reads import List, ReadEndpoint
from kit.rest.viewsets import StoreEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class ShippingOptions(List, StoreEndpoint):
    """The shipping options that are available to a cart: for its address, its goods and their price."""

    resource = SHIPPING_OPTIONS


class Calculations(ReadEndpoint, StoreEndpoint):
    """Prices from providers. Nothing is changed, so no Idempotency-Key is needed and no answer is stored."""

    resource = SHIPPING_OPTIONS
    inputs = {"calculate": CalculationInput}
    accepts_idempotency_key = False

    def calculate(self, request: Request, id: str) -> JSONObject:
        """Calculate the price of a shipping option for a cart."""
        option = calculation.calculate(actor=self.actor, option_id=id, **self.body())
        return {self.resource.name: self.resource.shown(show([option]), self.read_query.selection)[0]}


class CartShippingMethods(WriteEndpoint, StoreEndpoint):
    """The shipping methods of a cart."""

    resource = CARTS
    private = True
    inputs = {"choose": ShippingMethodInput, "remove": ShippingMethodsInput}

    def request_price(self, request: Request, id: str) -> ProviderPrice | None:
        """The price of the option's provider."""
        return method_choice.request_price(actor=self.actor, cart_id=id, **self.body())

    @before_transaction(request_price)
    def choose(self, request: Request, quoted: ProviderPrice | None, id: str) -> JSONObject:
        """Add a shipping method to a cart. It replaces the method for goods of the same profile."""
        method_choice.choose(actor=self.actor, cart_id=id, **self.body(), quoted=quoted)
        return self.written(id)

    def remove(self, request: Request, id: str) -> JSONObject:
        """Remove shipping methods from a cart, or all of them if no ids are given."""
        method_choice.remove(actor=self.actor, cart_id=id, **self.body())
        return self.written(id)
