"""Shipping priced by weight: an example of a provider, to copy.

The option's data hold its prices: `{"base": {"eur": 4.9}, "per_weight": {"eur": 0.002}, "heaviest": 30000}`, amounts
by currency, the second for each unit of weight. Lines without a weight count as 0.
"""

from decimal import Decimal

from fulfillment.providers.base import CannotShip, Provider, Quote, Shipment
from kit.values.money import rounded


class ByWeight(Provider):
    """base + per_weight x weight, up to the weight `heaviest`, if given."""

    def quote(self, shipment: Shipment) -> Quote:
        weight = sum((Decimal(str(each.weight or 0)) * each.quantity for each in shipment.parcels), Decimal(0))
        heaviest = shipment.option_data.get("heaviest")
        if heaviest is not None and weight > Decimal(str(heaviest)):
            raise CannotShip("The parcel is too heavy")
        base, per_weight = (_amount(shipment, name) for name in ("base", "per_weight"))
        return Quote(rounded(base + per_weight * weight, shipment.currency_code))


def _amount(shipment: Shipment, name: str) -> Decimal:
    amounts = shipment.option_data.get(name)
    if not isinstance(amounts, dict) or shipment.currency_code not in amounts:
        raise CannotShip(f"No price in {shipment.currency_code}")
    return Decimal(str(amounts[shipment.currency_code]))
