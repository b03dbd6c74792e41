"""The interface of fulfillment providers. Your own provider is a subclass of Provider that settings name.

settings.FULFILLMENT_PROVIDERS maps provider ids to dotted names. The table of providers has the same ids, and staff
switch them on and off there. One instance serves all requests of a process, so it must not store anything of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from carts.destination import Destination
from commerce.kit.core.json import JSONObject


class CannotShip(Exception):
    """The provider does not ship that; the customer sees the text."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One line. weight: of one unit, in the shop's unit of weight; None if it is unknown."""

    title: str
    quantity: int
    weight: float | None


@dataclass(frozen=True, slots=True)
class Shipment:
    """A cart to calculate a price for.

    option_data: of the shipping option, as staff entered it. data: as the storefront sent it.
    item_total: of the goods, in major units.
    """

    cart_id: str
    currency_code: str
    destination: Destination
    parcels: Sequence[Parcel]
    item_total: Decimal
    option_data: JSONObject
    data: JSONObject


@dataclass(frozen=True, slots=True)
class Quote:
    """amount: in major units of the shipment's currency, with no more decimals than it has."""

    amount: Decimal
    is_tax_inclusive: bool = False


class Provider(ABC):
    """A fulfillment provider. It is called outside transactions, and must time out by itself."""

    @abstractmethod
    def quote(self, shipment: Shipment) -> Quote:
        """The price of the shipment. Raises CannotShip."""
