"""The errors of fulfillments, for staff and programs of the shop. Messages are Medusa's where it has them."""

from collections.abc import Iterable
from decimal import Decimal

from kit.domain.missing_row import RowNotFound, given_by, missing
from kit.errors import InvalidData, NotAllowed, listed, shown

_OPTION = "shipping_option_id"


class FulfillmentNotFound(RowNotFound):
    """No fulfillment has that id, or it is another order's."""

    noun = "Fulfillment"


class UnknownLocation(InvalidData):
    """No stock location has the id that the request names."""

    def __init__(self, location_id: str) -> None:
        super().__init__(missing("Stock location", location_id, field="location_id"))


class UnknownOption(InvalidData):
    """No shipping option has the id that the request names."""

    def __init__(self, option_id: str) -> None:
        super().__init__(missing("Shipping option", option_id, field=_OPTION))


class UnknownProvider(InvalidData):
    """No fulfillment provider has the id that the request names."""

    def __init__(self, provider_id: str) -> None:
        super().__init__(missing("Fulfillment provider", provider_id, field="provider_id"))


class ProviderMismatch(InvalidData):
    """The shipping option has another provider."""

    def __init__(self, provider_id: str, own_id: str) -> None:
        super().__init__(
            f"Field 'provider_id' must be that of the shipping option: '{own_id}', got: '{shown(provider_id)}'"
        )


class OptionOfOtherLocation(InvalidData):
    """The shipping option ships from another location than the one that the items are taken from."""

    def __init__(self, option_id: str, home_id: str, location_id: str) -> None:
        message = f"Shipping option with id: {option_id} ships from location {home_id}, not from {location_id}"
        super().__init__(given_by(message, _OPTION))


class OptionNotForDelivery(InvalidData):
    """The shipping option does not deliver to the address, or is for returns only."""

    def __init__(self, option_id: str) -> None:
        message = f"Shipping option with id: {option_id} does not deliver to the address of this fulfillment"
        super().__init__(given_by(message, _OPTION))


class OrderCanceled(InvalidData):
    """A canceled order cannot be fulfilled."""

    def __init__(self, order_id: str) -> None:
        super().__init__(f"Order with id {order_id} has been canceled.")


class OrderNotPaid(NotAllowed):
    """Something is outstanding of the order, or all of it was refunded, and settings.FULFILL_UNPAID is off."""

    def __init__(self, payment_status: str, left: Decimal, currency_code: str) -> None:
        outstanding = f", and {left} {currency_code} is outstanding" if left else ""
        super().__init__(f"The order is not paid: its payment status is {payment_status}{outstanding}")


class NothingToFulfill(InvalidData):
    """The list of items is empty."""

    message = "No items to fulfill"


class ItemsNotInOrder(InvalidData):
    """The lines do not belong to the order."""

    def __init__(self, line_ids: Iterable[str], order_id: str) -> None:
        super().__init__(f"Items with ids {listed(line_ids)} does not exist in order with id {order_id}.")


class LineNotNamed(InvalidData):
    """No line of the order has the SKU that is sent instead of a line's id, or several have it."""

    def __init__(self, sku: str) -> None:
        super().__init__(
            f"Field 'items.line_item_id' is required: not one line of the order has the SKU '{shown(sku)}'"
        )


class DuplicateItem(InvalidData):
    """A line is listed more than once."""

    def __init__(self, line_id: str) -> None:
        super().__init__(f"Item {line_id} is named more than once in field 'items'")


class QuantityTooSmall(InvalidData):
    """The quantity is less than 1."""

    message = "Value for field 'items.quantity' too small, expected at least: '1'"


class MoreThanOrdered(InvalidData):
    """The quantity exceeds the units that remain to be fulfilled."""

    def __init__(self, line_id: str) -> None:
        super().__init__(f"Cannot fulfill more items than what was ordered for item {line_id}.")


class MixedShipping(InvalidData):
    """Some of the items require shipping and others do not."""

    message = (
        "Fulfillment can only be created entirely with items with shipping or items without shipping. "
        "Split this request into 2 fulfillments."
    )


class ProfileMismatch(InvalidData):
    """The shipping option does not ship goods of the line's profile."""

    def __init__(self, profile_id: str | None, line_id: str) -> None:
        super().__init__(
            f"Shipping profile {profile_id} does not match the shipping profile of the order item {line_id}"
        )


class LineNotReserved(InvalidData):
    """The line's inventory is managed, but nothing is reserved for it."""

    def __init__(self, line_id: str, title: str) -> None:
        super().__init__(f"No stock reservation found for item {line_id} - {title}")


class InsufficientReservation(InvalidData):
    """Too few pieces are reserved for the line at the location."""

    def __init__(self, line_id: str, item: str, location_id: str, reserved: int, needed: int) -> None:
        super().__init__(
            f"Quantity to fulfill exceeds the reserved quantity for the item: {line_id} "
            f"needs {needed} of {item}, of which {reserved} are reserved at location {location_id}"
        )


class LocationRequired(InvalidData):
    """The items are reserved at more than one location, so the caller must name one."""

    def __init__(self, line_id: str, location_ids: Iterable[str]) -> None:
        super().__init__(
            f"Field 'location_id' is required: item {line_id} is reserved at locations {', '.join(location_ids)}"
        )


class AlreadyShipped(NotAllowed):
    """The fulfillment is already shipped."""

    message = "Shipment has already been created"


class NotShippable(NotAllowed):
    """A canceled or delivered fulfillment cannot be shipped."""

    def __init__(self, end: str) -> None:
        super().__init__(f"Cannot create shipment for {end} fulfillments")


class PartialShipment(InvalidData):
    """The items are not all items of the fulfillment, which ships as a whole."""

    message = "Field 'items' must hold all items of the fulfillment: it ships as a whole"


class CannotAddLabels(NotAllowed):
    """The fulfillment is canceled."""

    message = "Cannot add labels to a canceled fulfillment"


class NotDeliverable(NotAllowed):
    """A canceled fulfillment cannot be delivered."""

    message = "Cannot deliver an already canceled fulfillment"


class AlreadyDelivered(NotAllowed):
    """The fulfillment is already delivered."""

    message = "Fulfillment has already been marked delivered"


class FulfillmentAlreadyCanceled(NotAllowed):
    """The fulfillment is already canceled."""

    message = "The fulfillment is already canceled"


class NotCancelable(NotAllowed):
    """A shipped or delivered fulfillment cannot be canceled."""

    def __init__(self, end: str) -> None:
        super().__init__(f"The fulfillment has already been {end}. {end.capitalize()} fulfillments cannot be canceled")


class InvalidEventSignature(NotAllowed):
    """The provider did not sign the event."""

    message = "The event's signature is invalid"


class UnreadableCarrierEvent(InvalidData):
    """The provider's code cannot read the event."""

    message = "The event cannot be read"


class FulfillmentProviderNotFound(RowNotFound):
    """settings.FULFILLMENT_PROVIDERS does not name the provider."""

    noun = "Fulfillment provider"
