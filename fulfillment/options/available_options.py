"""The shipping options that are available to a cart, with their prices.

The number of statements does not depend on the number of options, lines and zones: one each for the areas served, their
options, the options' prices (two with price lists), the cart's lines, and the stock. A cart without an address takes
one more, for the countries of its region. Why: docs/decisions/shipping.md#only-options-that-fit-the-cart-are-offered.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from carts.arithmetic.totals import CartTotals
from carts.pricing.cart_context import CartContext
from carts.pricing.shippable_lines import CartContents, shippable_contents
from catalog.prices.calculated_prices import Calculated, calculated
from catalog.prices.price_candidates import load_candidates
from catalog.prices.price_context import PriceContext
from catalog.prices.price_rules import Attributes
from catalog.prices.price_selection import Candidate
from catalog.rule_attributes import CUSTOMER, REGION
from fulfillment.options import rule_attributes as names
from fulfillment.options.eligibility import (
    Area,
    OptionRule,
    ServedZone,
    all_hold,
    fits_goods,
    is_served,
    without_replaced,
)
from fulfillment.options.option_rows import AREAS, COUNTRIES, LEVELS, OptionRow, read_options
from fulfillment.states import PriceType
from kit.values import money
from shop.taxes import Goods


@dataclass(frozen=True, slots=True)
class AvailableOption:
    """An option that serves the destination, for some of the goods.

    for_delivery, for_returns: whether its rules allow it for either.
    candidates: its prices in the cart's currency. price: the one that applies; None without one, and for options that
    their provider prices. is_short: whether its location has too little stock for the cart.
    """

    row: OptionRow
    for_delivery: bool
    for_returns: bool
    candidates: Sequence[Candidate]
    price: Calculated | None
    is_short: bool

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def goods(self) -> Goods:
        """What its taxes depend on."""
        return Goods(shipping_option_id=self.row.id)

    @property
    def is_calculated(self) -> bool:
        """Whether the option's provider calculates the price."""
        return self.row.price_type == PriceType.CALCULATED

    @property
    def is_priced(self) -> bool:
        """Whether the option has a price, or its provider may calculate one."""
        return self.is_calculated or self.price is not None


@dataclass(frozen=True, slots=True)
class AvailableOptions:
    """options: in no order. contents: of the cart. context: what their prices depend on."""

    options: list[AvailableOption]
    contents: CartContents
    context: PriceContext

    def find(self, option_id: str) -> AvailableOption | None:
        """The option with that id, if it is available."""
        return next((option for option in self.options if option.id == option_id), None)


def available_options(
    cart: CartContext,
    totals: CartTotals,
    *,
    contents: CartContents | None = None,
    among: Collection[str] | None = None,
    with_stock: bool = True,
    for_staff: bool = False,
) -> AvailableOptions:
    """The shipping options of a stored cart. totals: its current ones, which may not be stored yet.

    contents: what they ship, instead of the lines of the stored cart.
    among: the ids of the options that the caller looks for; all others are left out.
    with_stock: False saves a statement; is_short is False for all options then.
    for_staff: whether to include options that are not enabled in the store.
    """
    contents = shippable_contents(cart.cart_id) if contents is None else contents
    context = replace(cart.price_context, attributes=_attributes(cart, totals, contents))
    served = _served_zones(cart)
    found: list[tuple[OptionRow, tuple[bool, bool]]] = []
    for row, rules in read_options(served, among=among):
        uses = _uses(rules, context.attributes, for_staff=for_staff)
        if any(uses) and fits_goods(row.shipping_profile_id, contents.profiles):
            found.append((row, uses))
    price_sets = [price_set_id for row, _ in found if (price_set_id := row.price_set_id)]
    candidates = load_candidates(price_sets, context.currency_code)
    goods = {row.price_set_id: Goods(shipping_option_id=row.id) for row, _ in found if row.price_set_id}
    prices = calculated(candidates, goods, context)
    stock = _Stock.of(contents, cart.sales_channel_id) if with_stock and found else None
    options = []
    for row, (for_delivery, for_returns) in found:
        price_set = row.price_set_id or ""
        price = None if row.price_type == PriceType.CALCULATED else prices.get(price_set)
        is_short = stock is not None and stock.is_short(row.location_id)
        options.append(AvailableOption(row, for_delivery, for_returns, candidates.get(price_set, ()), price, is_short))
    return AvailableOptions(options, contents, context)


def _attributes(cart: CartContext, totals: CartTotals, contents: CartContents) -> Attributes:
    """Shipping prices cannot depend on themselves: `total` and `subtotal` are those of the goods.

    Why: docs/decisions/carts.md#thresholds-count-the-goods-as-stated.
    """
    item_total, item_subtotal = money.major(contents.goods_total), money.major(totals.item_subtotal)
    attributes, place = cart.price_context.attributes, cart.destination
    known = {
        names.CUSTOMER_ID: attributes.get(CUSTOMER),
        names.ADDRESS_COUNTRY: place.country_code,
        names.ADDRESS_PROVINCE: place.province,
        names.ADDRESS_CITY: place.city,
        names.POSTAL_CODE: place.postal_code,
    }
    return {
        **attributes,
        **{name: value for name, value in known.items() if value},
        names.SALES_CHANNEL: cart.sales_channel_id,
        **dict.fromkeys((names.ITEM_TOTAL, names.TOTAL), item_total),
        **dict.fromkeys((names.ITEM_SUBTOTAL, names.SUBTOTAL), item_subtotal),
    }


def _uses(rules: Sequence[OptionRule], attributes: Attributes, *, for_staff: bool) -> tuple[bool, bool]:
    """Whether an option with these rules is for delivery, and for returns."""
    places = ("true", "false") if for_staff else ("true",)

    def holds(is_return: str) -> bool:
        known = {**attributes, names.IS_RETURN: is_return}
        return any(all_hold(rules, {**known, names.ENABLED_IN_STORE: enabled}) for enabled in places)

    return holds("false"), holds("true")


def _served_zones(cart: CartContext) -> set[str]:
    destination, countries = cart.destination, list[str]()
    if not destination.country_code:
        countries = [row[0] for row in COUNTRIES.read([str(cart.price_context.attributes[REGION])])]
    rows = AREAS.read([destination.country_code] if destination.country_code else countries, cart.sales_channel_id)
    zones = [ServedZone(zone, of_set, replaces, Area(*area)) for zone, of_set, replaces, *area in rows]
    served = [zone for zone in zones if is_served(zone.area, destination, countries)]
    return without_replaced(served) if destination.country_code else {zone.zone_id for zone in served}


class _Stock:
    """The available quantity of the required items, by location and item."""

    def __init__(self, wanted: Counter[str], available: Mapping[tuple[str, str], int], *, lacks_items: bool) -> None:
        self._wanted = wanted
        self._available = available
        self._lacks_items = lacks_items

    @classmethod
    def of(cls, contents: CartContents, sales_channel_id: str) -> "_Stock":
        """The stock of all lines together. One statement; none if the stock of no line is limited."""
        wanted = Counter[str]()
        for line in contents.lines:
            wanted += line.inventory_items
        levels = LEVELS.read(sorted(wanted), sales_channel_id)
        available = {
            (row.location_id, row.inventory_item_id): row.stocked_quantity - row.reserved_quantity for row in levels
        }
        lacks_items = any(line.is_limited and not line.inventory_items for line in contents.lines)
        return cls(wanted, available, lacks_items=lacks_items)

    def is_short(self, location_id: str | None) -> bool:
        """Whether the location has too little of any item, or a limited line has no item at all."""
        return self._lacks_items or any(
            self._available.get((location_id or "", item), 0) < pieces for item, pieces in self._wanted.items()
        )
