"""The ways of shipping that a cart may choose from, and what each costs it. Source: behaviour.md 0.25, 6.4.

The number of statements depends neither on how many options, lines and zones there are, nor on what fits: the areas
that are served, the options there, their prices (one more where price lists are met), what the cart has to ship, and
the stock. A cart without an address takes one more, for the countries of its region.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from carts.cart_context import CartContext
from carts.goods import Load, load_of
from carts.totals import CartTotals
from catalog.calculated_prices import Calculated, calculated
from catalog.price_candidates import load_candidates
from catalog.price_context import PriceContext
from catalog.price_rules import Attributes
from catalog.price_selection import Candidate
from catalog.rule_attributes import CUSTOMER, REGION
from commerce.kit.core import money
from fulfillment import rule_attributes as names
from fulfillment.eligibility import Area, OptionRule, all_hold, fits_goods, is_served
from fulfillment.offer_rows import AREAS, COUNTRIES, LEVELS, OptionRow, read_options
from fulfillment.states import PriceType


@dataclass(frozen=True, slots=True)
class Offer:
    """An option that serves the place, and takes some of the goods.

    for_delivery, for_returns: whether its rules let it serve as either.
    candidates: its prices in the cart's currency. price: the calculated one; None where none applies, and for options
    that their provider prices. is_short: whether its location holds too little of what the cart has to ship.
    """

    option: OptionRow
    for_delivery: bool
    for_returns: bool
    candidates: Sequence[Candidate]
    price: Calculated | None
    is_short: bool

    @property
    def id(self) -> str:
        return self.option.id

    @property
    def is_calculated(self) -> bool:
        """Whether the provider says what it costs."""
        return self.option.price_type == PriceType.CALCULATED

    @property
    def is_priced(self) -> bool:
        """Whether it has a price, or may get one."""
        return self.is_calculated or self.price is not None


@dataclass(frozen=True, slots=True)
class Offers:
    """offers: in no order. load: what has to be shipped. context: what their prices depend on."""

    offers: list[Offer]
    load: Load
    context: PriceContext

    def find(self, option_id: str) -> Offer | None:
        """The offer of that option, if it is one."""
        return next((offer for offer in self.offers if offer.id == option_id), None)


def offers_for(cart: CartContext, totals: CartTotals, *, with_stock: bool = True) -> Offers:
    """What the stored cart may choose from. totals: of the cart as it now is.

    with_stock: without it nothing is found to be short, and a statement is saved.
    """
    load = load_of(cart.cart_id)
    context = replace(cart.price_context, attributes=_attributes(cart, totals))
    profiles = None if load.is_empty else {line.profile_id for line in load.goods}
    served = _served_zones(cart)
    found: list[tuple[OptionRow, tuple[bool, bool]]] = []
    for option, rules in read_options(sorted(served)):
        uses = _uses(rules, context.attributes)
        if any(uses) and fits_goods(option.shipping_profile_id, profiles):
            found.append((option, uses))
    price_sets = [price_set_id for option, _ in found if (price_set_id := option.price_set_id)]
    candidates = load_candidates(price_sets, context.currency_code)
    prices = calculated(candidates, context)
    stock = _Stock.of(load, cart.sales_channel_id) if with_stock and found else None
    offers = []
    for option, (for_delivery, for_returns) in found:
        price_set = option.price_set_id or ""
        price = None if option.price_type == PriceType.CALCULATED else prices.get(price_set)
        is_short = stock is not None and stock.is_short(option.location_id)
        offers.append(Offer(option, for_delivery, for_returns, candidates.get(price_set, ()), price, is_short))
    return Offers(offers, load, context)


def _attributes(cart: CartContext, totals: CartTotals) -> Attributes:
    """What shipping costs cannot depend on itself: `total` and `subtotal` are those of the goods."""
    item_total, item_subtotal = money.major(totals.item_total), money.major(totals.item_subtotal)
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


def _uses(rules: Sequence[OptionRule], attributes: Attributes) -> tuple[bool, bool]:
    """Whether an option of these rules serves for delivery, and for returns."""
    known = {**attributes, names.ENABLED_IN_STORE: "true"}
    delivery, returns = (all_hold(rules, {**known, names.IS_RETURN: said}) for said in ("false", "true"))
    return delivery, returns


def _served_zones(cart: CartContext) -> set[str]:
    destination, countries = cart.destination, list[str]()
    if not destination.country_code:
        countries = [row[0] for row in COUNTRIES.read([str(cart.price_context.attributes[REGION])])]
    rows = AREAS.read([destination.country_code] if destination.country_code else countries, cart.sales_channel_id)
    return {zone_id for zone_id, *area in rows if is_served(Area(*area), destination, countries)}


class _Stock:
    """What is available of the wanted items, by location and item."""

    def __init__(self, wanted: Counter[str], available: Mapping[tuple[str, str], int], *, lacks_items: bool) -> None:
        self._wanted = wanted
        self._available = available
        self._lacks_items = lacks_items

    @classmethod
    def of(cls, load: Load, sales_channel_id: str) -> "_Stock":
        """All lines together. One statement, and none where no line is limited."""
        wanted = Counter[str]()
        for line in load.goods:
            wanted += line.items
        levels = LEVELS.read(sorted(wanted), sales_channel_id)
        available = {
            (row.location_id, row.inventory_item_id): row.stocked_quantity - row.reserved_quantity for row in levels
        }
        lacks_items = any(line.is_limited and not line.items for line in load.goods)
        return cls(wanted, available, lacks_items=lacks_items)

    def is_short(self, location_id: str | None) -> bool:
        """Whether the location holds too little of any item, or a line that is limited has none at all."""
        return self._lacks_items or any(
            self._available.get((location_id or "", item), 0) < pieces for item, pieces in self._wanted.items()
        )
