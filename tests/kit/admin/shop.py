"""A shop in which every screen of the admin site has a row."""

from decimal import Decimal

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django_otp.plugins.otp_totp.models import TOTPDevice

from carts.details.line_replacement import WantedLine
from catalog.models import InventoryLevel, PriceList, ProductVariant
from catalog.products.product_editing import details
from customers.models import CustomerGroup
from kit.domain.actor import SYSTEM
from orders.drafts import creation
from orders.models import CompletionAttempt
from shop.models import Region
from staff.models import User
from tests.factories.carts import CampaignFactory
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.factories.inventory import ReservationFactory
from tests.factories.invoices import document
from tests.factories.orders import order, return_reason
from tests.factories.payments import authorized_payment
from tests.factories.pricing import price
from tests.factories.products import ProductFactory
from tests.factories.webhooks import address, delivery
from tests.interface_walk.shop import build
from tests.orders.drafts.shop import STAFF

LINES = "In the morning.\nWith milk,\n\nor without."


def build_shop(user: User) -> None:
    """The walk's shop with what only staff see: history, reservations, deleted rows, multi-line texts."""
    build()
    region = Region.objects.not_deleted().filter(countries="us")[0]
    wrapping = WantedLine(1, title="Gift wrapping", unit_price=Decimal(3))
    creation.create(actor=STAFF, region_id=region.pk, items=[wrapping])
    regulars = CustomerGroup.objects.create(name="Regulars")
    CustomerFactory(has_account=True).groups.add(regulars)
    level = InventoryLevel.objects.not_deleted().filter(stocked_quantity__gt=0)[0]
    ReservationFactory(level=level, quantity=1, line_item_id="cali_1")
    variant = ProductVariant.objects.not_deleted()[0]
    variant.product.description = LINES
    variant.product.save()
    sale = PriceList.objects.not_deleted()[0]
    sale.description = LINES
    sale.save()
    sale.rules.create(attribute="customer.groups.id", value=[regulars.pk, "cusgroup_other"])
    price(variant, "5", price_list=sale, rules={"customer.groups.id": regulars.pk})
    option(rules=[("item_total", "gte", "20"), ("shipping_address.country_code", "in", ["us", "ca"])])
    details.VERBS.delete(actor=SYSTEM, ids=[ProductFactory().pk])
    CampaignFactory()
    gift_card(20)
    authorized_payment()
    delivery(address().address)
    document(order(captured=True))
    return_reason("small", "Too small", parent_return_reason=return_reason(description=LINES))
    CompletionAttempt.objects.create(cart_id="cart_1", total=5, currency_id="usd")
    Group.objects.create(name="Night shift")
    TOTPDevice.objects.create(user=user, name="Phone", confirmed=False)
    LogEntry.objects.log_actions(str(user.pk), [sale], CHANGE, "Made a draft.", single_object=True)
