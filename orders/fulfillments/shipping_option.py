"""The shipping option of a fulfillment, which determines its provider."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from fulfillment.models import ShippingOption
from fulfillment.options.eligibility import fits_goods
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from orders.fulfillments.errors import ProfileMismatch, ProviderMismatch, UnknownOption, UnknownProvider
from orders.fulfillments.requested_items import RequestedItem
from orders.models import OrderShippingMethod
from shop.models import FulfillmentProvider


class ChosenOption(NamedTuple):
    """location: where the option ships from."""

    id: str
    provider_id: str | None
    shipping_profile_id: str | None
    service_zone__fulfillment_set__location_id: str | None


def named_option(option_id: str, requested: Sequence[RequestedItem]) -> ChosenOption:
    """The option with that id. Raises UnknownOption, and ProfileMismatch for items that it does not ship."""
    found = _OPTIONS.read([option_id]) if is_storable(option_id) else []
    if not found:
        raise UnknownOption(option_id)
    if (unfit := _unfit(found[0], requested)) is not None:
        raise ProfileMismatch(found[0].shipping_profile_id, unfit.line.id)
    return found[0]


def provider_of(option: ChosenOption | None, named_id: str | None) -> str | None:
    """The provider of the option, or the named one if it has none. Raises ProviderMismatch, UnknownProvider."""
    own_id = option.provider_id if option is not None else None
    if named_id in (None, own_id):
        return own_id
    if own_id is not None:
        raise ProviderMismatch(str(named_id), own_id)
    if FulfillmentProvider.objects.not_deleted().with_id(str(named_id)) is None:
        raise UnknownProvider(str(named_id))
    return named_id


def is_of_order(order_id: str, option_id: str) -> bool:
    """Whether the order was placed with the option. One statement."""
    return option_id in {own_id for _, own_id in _METHODS.read([order_id])}


def option_of_order(order_id: str, requested: Sequence[RequestedItem]) -> ChosenOption | None:
    """The first of the order's options that ships all of the items; None if none of them still exists.

    Raises ProfileMismatch if no option ships them all: each profile needs its own fulfillment. Two statements.
    """
    methods = sorted(_METHODS.read([order_id]))
    by_id = {option.id: option for option in _OPTIONS.read([option_id for _, option_id in methods if option_id])}
    options = [by_id[option_id] for _, option_id in methods if option_id in by_id]
    for option in options:
        if _unfit(option, requested) is None:
            return option
    if options:
        unfit = _unfit(options[0], requested)
        raise ProfileMismatch(options[0].shipping_profile_id, unfit.line.id if unfit else "")
    return None


def _unfit(option: ChosenOption, requested: Sequence[RequestedItem]) -> RequestedItem | None:
    """The first item that the option does not ship. An item without a product or profile fits every option."""
    known = (each for each in requested if each.line.requires_shipping and each.profile_id is not None)
    return next((each for each in known if not fits_goods(option.shipping_profile_id, {each.profile_id})), None)


_OPTIONS = KeyedRows(ShippingOption.objects.not_deleted, key="id", row=ChosenOption)


def _deliveries() -> QuerySet[OrderShippingMethod]:
    methods: QuerySet[OrderShippingMethod] = OrderShippingMethod.objects.not_deleted().filter(of_return=None)
    return methods


_METHODS = KeyedRows(_deliveries, key="order_id", columns=("id", "shipping_option_id"))
