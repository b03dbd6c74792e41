"""The shipping option of a fulfillment, which determines its provider."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from fulfillment.models import ShippingOption
from fulfillment.options.eligibility import fits_goods
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from orders.fulfillments.errors import ProfileMismatch, ProviderMismatch, UnknownOption, UnknownProvider
from orders.fulfillments.requested_items import RequestedItem
from orders.models import OrderChangeAction, OrderShippingMethod
from orders.states import ChangeAction, OrderChangeStatus
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

    What a change has added goes by the option that the same change has added, if there is one.
    Raises ProfileMismatch if no option ships them all: each profile needs its own fulfillment. Three statements.
    """
    methods = sorted(_METHODS.read([order_id]))
    if len(methods) > 1:
        own = _added_with(order_id, {each.line.id for each in requested})
        methods.sort(key=lambda method: method[0] not in own)
    by_id = {option.id: option for option in _OPTIONS.read([option_id for _, option_id in methods if option_id])}
    options = [by_id[option_id] for _, option_id in methods if option_id in by_id]
    for option in options:
        if _unfit(option, requested) is None:
            return option
    if options:
        unfit = _unfit(options[0], requested)
        raise ProfileMismatch(options[0].shipping_profile_id, unfit.line.id if unfit else "")
    return None


def _added_with(order_id: str, line_ids: Collection[str]) -> Collection[str]:
    """The shipping methods of the change that has added all of the lines, if one has."""
    methods, lines = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for change_id, line_id, method_id in _ADDED.read([order_id]):
        if line_id is not None:
            lines[change_id].add(line_id)
        else:
            methods[change_id].add(method_id)
    return next((methods[change_id] for change_id, added in lines.items() if added.issuperset(line_ids)), ())


def _unfit(option: ChosenOption, requested: Sequence[RequestedItem]) -> RequestedItem | None:
    """The first item that the option does not ship. An item without a product or profile fits every option."""
    known = (each for each in requested if each.line.requires_shipping and each.profile_id is not None)
    return next((each for each in known if not fits_goods(option.shipping_profile_id, {each.profile_id})), None)


_OPTIONS = KeyedRows(ShippingOption.objects.not_deleted, key="id", row=ChosenOption)


def _deliveries() -> QuerySet[OrderShippingMethod]:
    methods: QuerySet[OrderShippingMethod] = OrderShippingMethod.objects.not_deleted().filter(of_return=None)
    return methods


_METHODS = KeyedRows(_deliveries, key="order_id", columns=("id", "shipping_option_id"))
_ADDED = KeyedRows(
    lambda: OrderChangeAction.objects.filter(
        action__in=[ChangeAction.ITEM_ADD, ChangeAction.SHIPPING_ADD],
        is_inbound=False,
        change__status=OrderChangeStatus.CONFIRMED,
    ),
    key="change__order_id",
    columns=("change_id", "line_id", "method_id"),
)
