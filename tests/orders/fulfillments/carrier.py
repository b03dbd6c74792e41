"""A carrier for tests: it keeps books of its own as a real one does, and does what a test has it do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from carts.lines.lines import NewLineItem
from carts.models import Cart
from fulfillment.models import ShippingOption
from fulfillment.providers import registry
from fulfillment.providers.base import Booking, FulfillmentDetails
from fulfillment.providers.tracked import Tracked
from orders.models import CarrierRequest, Fulfillment, Order
from shop.models import FulfillmentProvider
from shop.providers.provider_code import load_provider
from tests.factories.checkout import ready_cart, stocked
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import pack

CARRIER = "test_carrier"
SECRET = "what only the carrier and the shop know"


class Carrier(Tracked):
    """Books what a test has not scripted otherwise. booked, canceled: by idempotency key, whatever was answered."""

    books_parcels = True

    def __init__(self) -> None:
        self.booked: dict[str, FulfillmentDetails] = {}
        self.canceled: dict[str, FulfillmentDetails] = {}
        self.asked: list[str] = []
        self._script: list[Exception] = []
        self._losses = 0

    def says(self, *answers: Exception) -> None:
        """What it raises the next times, in their order, instead of doing anything."""
        self._script += answers

    def loses_answers(self, times: int = 1) -> None:
        """So many times it does what it is asked, and nobody hears of it."""
        self._losses += times

    def create(self, fulfillment: FulfillmentDetails, *, key: str) -> Booking:
        self._begin(f"create {key}")
        self.booked[key] = fulfillment
        self._end()
        return super().create(fulfillment, key=key)

    def cancel(self, fulfillment: FulfillmentDetails, *, key: str) -> None:
        self._begin(f"cancel {key}")
        self.canceled[key] = fulfillment
        self._end()

    def _begin(self, asked: str) -> None:
        self.asked.append(asked)
        if self._script:
            raise self._script.pop(0)

    def _end(self) -> None:
        if self._losses:
            self._losses -= 1
            raise ConnectionError("The answer got lost")


@contextmanager
def at_work(settings: Any) -> Iterator[Carrier]:
    """With such a carrier behind its id."""
    settings.FULFILLMENT_PROVIDERS = {
        **settings.FULFILLMENT_PROVIDERS,
        CARRIER: f"{Carrier.__module__}.{Carrier.__qualname__}",
    }
    settings.TRACKED_CARRIER_SECRET = SECRET
    FulfillmentProvider.objects.create(id=CARRIER)
    load_provider.cache_clear()
    made = registry.provider(CARRIER)
    assert isinstance(made, Carrier)
    yield made
    load_provider.cache_clear()


def carried_order(units: int = 5, **option: Any) -> Order:
    """The order of so many of one variant, of which there are ten, that the carrier brings. option: columns."""
    cart: Cart = ready_cart(NewLineItem(stocked(10).pk, units))
    order = order_of(cart)
    chosen = order.shipping_methods.get().shipping_option_id
    ShippingOption.objects.filter(pk=chosen).update(provider_id=CARRIER, **option)
    return order


def carried(order: Order, *units: int) -> tuple[Fulfillment, CarrierRequest]:
    """A fulfillment, and the request to book it."""
    made = pack(order, *units)
    return made, CarrierRequest.objects.get(fulfillment=made, act="create")
