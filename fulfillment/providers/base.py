"""What the shop asks of whoever ships. A provider of your own is a subclass of Provider that settings name.

settings.FULFILLMENT_PROVIDERS holds dotted names by provider id; the id also stands in the table of providers, where
staff switch it on and off. One instance serves all requests of a process, so it keeps nothing of any.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from carts.destination import Destination
from commerce.kit.core.json import JSONObject


class CannotShip(Exception):
    """The provider does not ship that; its text is told to the shopper."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """Pieces of one line. weight: of one piece, in the shop's own unit; None where nobody said."""

    title: str
    quantity: int
    weight: float | None


@dataclass(frozen=True, slots=True)
class Shipment:
    """What is to be priced.

    option_data: of the shipping option, as staff wrote it. data: as the storefront sent it.
    item_total: what the goods cost, in major units.
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
    """amount: in major units of the shipment's currency, with no more digits than that has."""

    amount: Decimal
    is_tax_inclusive: bool = False


class Provider(ABC):
    """Who ships. It is asked outside any transaction, and has to give up by itself on what does not answer."""

    @abstractmethod
    def quote(self, shipment: Shipment) -> Quote:
        """What it costs. Raises CannotShip."""
