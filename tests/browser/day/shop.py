"""The demo shop, on a day with an order to pack."""

from io import StringIO

from django.core.management import call_command

from carts.details import details
from carts.lines.lines import NewLineItem
from catalog.models import ProductVariant
from commerce.operations.management.commands.demo import SHOP
from commerce.operations.roles.role_setup import set_up_roles
from fulfillment.methods import method_choice
from fulfillment.models import ShippingOption
from orders.models import Order
from shop.models import Region
from tests.factories.carts import cart, shopper
from tests.factories.checkout import pay
from tests.orders.completing import order_of

ADDRESS = {
    "first_name": "Nell",
    "last_name": "Carver",
    "address_1": "12 Lock Lane",
    "city": "Bristol",
    "country_code": "gb",
    "postal_code": "BS1 4QA",
}


def open_shop() -> None:
    call_command("load_shop", str(SHOP), stdout=StringIO())
    set_up_roles()


def an_order(**units: int) -> Order:
    """A guest's order of so many of each SKU, which is paid but not captured."""
    skus = {name.replace("_", "-"): number for name, number in units.items()}
    variants = {variant.sku: variant for variant in ProductVariant.objects.filter(sku__in=skus)}
    lines = [NewLineItem(variants[sku].pk, number) for sku, number in skus.items()]
    region = Region.objects.get(name="United Kingdom")
    made = cart(*lines, region_id=region.pk)
    details.change(
        actor=shopper(), cart_id=made.pk, email="nell@lock.example", shipping_address=ADDRESS, billing_address=ADDRESS
    )
    way = ShippingOption.objects.get(name="Second class")
    method_choice.choose(actor=shopper(), cart_id=made.pk, option_id=way.pk)
    made.refresh_from_db()
    pay(made)
    return order_of(made)
