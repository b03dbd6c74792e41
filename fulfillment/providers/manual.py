"""Shipping by hand, at flat prices."""

from fulfillment.providers.base import CannotShip, Provider, Quote, Shipment


class Manual(Provider):
    """Calculates no prices."""

    def quote(self, shipment: Shipment) -> Quote:
        raise CannotShip("The manual provider calculates no prices")
