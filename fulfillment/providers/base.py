"""The interface of fulfillment providers. Your own provider is a subclass of Provider that settings name.

settings.FULFILLMENT_PROVIDERS maps provider ids to dotted names. The table of providers has the same ids, and staff
switch them on and off there. One instance serves all requests of a process, so it must not store anything of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from carts.pricing.destination import Destination
from kit.values.json import JSONObject
from kit.values.metadata import fault


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
    item_total: what the goods cost after discounts, in the terms of their prices and without gift cards, in major
        units: the same as `item_total` of shipping rules.
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


class Declined(Exception):
    """The provider refuses the request for good. Staff see the text."""


class InvalidEvent(Exception):
    """The event is not signed by the provider, or not an event."""


@dataclass(frozen=True, slots=True)
class ItemDetails:
    """An item of a fulfillment. quantity: pieces."""

    title: str
    sku: str
    quantity: int


@dataclass(frozen=True, slots=True)
class FulfillmentDetails:
    """A fulfillment, as its provider receives it.

    order_number: as the customer knows it. address: the texts of the delivery address by name, without those that are
    not set; empty if there is none. option_data: of the shipping option, as staff entered it.
    data: from the provider's answer to `create`.
    """

    fulfillment_id: str
    order_number: str
    location_id: str | None
    address: Mapping[str, str]
    email: str | None
    items: Sequence[ItemDetails]
    option_data: JSONObject
    data: JSONObject


@dataclass(frozen=True, slots=True)
class ParcelLabel:
    """A parcel: its tracking number, tracking page and the label to print. URLs begin with http:// or https://."""

    tracking_number: str
    tracking_url: str | None = None
    label_url: str | None = None


@dataclass(frozen=True, slots=True)
class Booking:
    """The answer to `create`. data: passed back to the provider with later requests.

    Raises ValueError for values that cannot be stored: such an answer counts as a failed request.
    """

    labels: Sequence[ParcelLabel] = ()
    data: JSONObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        if fault(self.data):
            raise ValueError(fault(self.data))


class CarrierStep(StrEnum):
    """What an event reports. label: only that there are labels."""

    LABEL = "label"
    SHIPPED = "shipped"
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True)
class CarrierReport:
    """An event of a provider. id: the provider's own. fulfillment_id, step: None for events that are not supported."""

    id: str
    fulfillment_id: str | None = None
    step: CarrierStep | None = None
    labels: Sequence[ParcelLabel] = ()


class Provider(ABC):
    """A fulfillment provider. It is called outside transactions, and must time out by itself.

    `create` and `cancel` are sent by the background worker after the commit. `key` is an idempotency key: a retry of
    the same request, whose outcome is unknown, has the same key, and the provider must carry it out once. Declined is
    final; any other exception means that the outcome is unknown, and the request is retried.

    books_parcels: whether `create` and `cancel` are called. If not, staff book parcels themselves.
    """

    books_parcels: ClassVar[bool] = False

    @abstractmethod
    def quote(self, shipment: Shipment) -> Quote:
        """The price of the shipment. Raises CannotShip."""

    def create(self, fulfillment: FulfillmentDetails, *, key: str) -> Booking:
        """Book the parcels of a fulfillment. Raises Declined, which cancels the fulfillment."""
        raise NotImplementedError

    def cancel(self, fulfillment: FulfillmentDetails, *, key: str) -> None:
        """Cancel the booking. Does nothing for a fulfillment that the provider does not know. Raises Declined."""
        raise NotImplementedError

    def read_event(self, body: bytes, headers: Mapping[str, str]) -> CarrierReport:
        """Read a request to the provider's webhook. Raises InvalidEvent.

        body: as it was sent, of any content type. Check its signature before parsing it. headers: by lower-case names.
        """
        raise InvalidEvent
