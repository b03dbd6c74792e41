"""Shipping by hand, at the prices that stand in the shop."""

from fulfillment.providers.base import CannotShip, Provider, Quote, Shipment


class Manual(Provider):
    """Knows no prices of its own."""

    def quote(self, shipment: Shipment) -> Quote:
        raise CannotShip("By hand, only options with prices are shipped")
