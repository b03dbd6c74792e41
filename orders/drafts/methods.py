"""The shipping methods of a draft, as staff choose them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from carts.arithmetic.totals import CartTotals
from carts.details.faults import Faults
from carts.details.replacement import WantedMethod
from carts.pricing.cart_context import CartContext, cart_context_of
from carts.pricing.destination import Destination
from carts.pricing.locked_cart import LockedCart
from carts.pricing.shippable_lines import shippable_contents
from catalog.prices.price_context import PriceContext
from fulfillment.options.available_options import AvailableOption, available_options
from kit.values.metadata import Metadata, checked
from kit.values.text import is_storable
from orders.changes.errors import ShippingWithoutPrice
from orders.common.order_options import price_of
from orders.drafts.errors import OptionNotForDraft
from orders.returns.notes import checked_note
from shop.taxes import TaxPlace


@dataclass(frozen=True, slots=True)
class DraftMethod:
    """A shipping option to choose. method_id: of the draft's method, or the id that a new one gets.

    custom_amount: in major units, instead of the option's price. field: as of `WantedMethod`.
    """

    shipping_option_id: str
    custom_amount: Decimal | None = None
    method_id: str | None = None
    description: str | None = None
    metadata: Metadata | None = None
    field: str = ""


def wanted_methods(cart: LockedCart, given: Sequence[DraftMethod], faults: Faults) -> list[WantedMethod]:
    """The methods as the cart shall have them, for its stored lines. Those that cannot be chosen become faults.

    Options that are not enabled in the store can be chosen, too, and of any profile. Six statements; none without
    methods.
    """
    ids = sorted({each.shipping_option_id for each in given if is_storable(each.shipping_option_id)})
    if not ids:
        return []
    context = cart_context_of(cart.id)
    found = {each.id: each for each in options_of(context, among=ids)}
    wanted = []
    for place, each in enumerate(given):
        with faults.of(each.field or f"shipping_methods[{place}]"):
            option = found.get(each.shipping_option_id)
            if option is None:
                raise OptionNotForDraft(each.shipping_option_id)
            wanted.append(_wanted_method(each, option, context.price_context))
    return wanted


def options_of_draft(draft_id: str) -> list[AvailableOption]:
    """What the stored draft can choose. Six statements."""
    return options_of(cart_context_of(draft_id))


def options_of(context: CartContext, *, among: Sequence[str] | None = None) -> list[AvailableOption]:
    """What can be chosen for the draft, or those of it with these ids."""
    contents = replace(shippable_contents(context.cart_id), profiles=None)
    options = available_options(
        context, context.totals, contents=contents, among=among, with_stock=False, for_staff=True
    ).options
    return [option for option in options if option.for_delivery]


def options_in(region: PriceContext, sales_channel_id: str) -> list[AvailableOption]:
    """What a draft without lines and addresses could choose in the region."""
    nothing = CartTotals(*[0] * len(CartTotals._fields))
    context = CartContext(
        cart_id="",
        price_context=region,
        tax_place=region.tax_place or TaxPlace(0),
        is_taxed_at_billing=False,
        totals=nothing,
        destination=Destination(),
        sales_channel_id=sales_channel_id,
        account_id=None,
        customer_key=None,
        email=None,
        in_open_region=True,
        tax_number=None,
    )
    return options_of(context)


def _wanted_method(given: DraftMethod, option: AvailableOption, context: PriceContext) -> WantedMethod:
    """Raises ShippingWithoutPrice, InvalidData (custom_amount, description, metadata)."""
    price = price_of(option, given.custom_amount, context, context.currency_code)
    if price is None:
        raise ShippingWithoutPrice(option.row.name)
    return WantedMethod(
        option.id,
        option.row.name,
        method_id=given.method_id,
        amount=None if given.custom_amount is None else price.amount,
        is_tax_inclusive=price.is_tax_inclusive,
        description=checked_note(given.description, field="description"),
        metadata=checked(given.metadata),
        field=given.field,
    )
