"""A shop in which every field of every resource that its own writers can fill has a value, to be walked through."""

from dataclasses import dataclass
from datetime import timedelta

from apikeys import deletion, revocation
from carts.lines.lines import NewLineItem
from carts.models import Cart
from catalog.models import ProductCategory, ProductVariant
from customers.models import Customer, CustomerAddress
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import Region
from shop.regions.default_region import ensure_default_region
from staff.actors import staff_actor
from staff.models import User
from tests.factories import carts as make
from tests.factories.apikeys import secret_key
from tests.factories.carts import PromotionFactory
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.factories.giftcards import bought_gift_card, gift_card
from tests.factories.payments import PROVIDER
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.factories.taxes import tax_rate
from tests.interface_walk.shop_accounts import open_accounts
from tests.interface_walk.shop_catalogue import build_categories, build_variants
from tests.interface_walk.shop_payments import build_paid_cart
from tests.interface_walk.shop_shipping import offer_shipping
from tests.interface_walk.shop_words import NOTES, PLACE
from tests.orders.placed import placed


@dataclass(frozen=True)
class Shop:
    """What requests name. card: the customer's own, which was bought as a line of an order."""

    staff: User
    customer: Customer
    address: CustomerAddress
    card: GiftCard
    cart: Cart
    cart_abroad: Cart
    paid_cart: Cart
    categories: dict[str, ProductCategory]

    @property
    def another_card(self) -> str:
        """The code of a new card, that can be redeemed."""
        return str(gift_card(20).code)


def build(*, provider_id: str = PROVIDER) -> Shop:
    """The shop, with everything. provider_id: of the provider that takes the payments."""
    staff = UserFactory(is_superuser=True)
    customer = CustomerFactory(company_name="Lee & Co", phone="555-1234", metadata=NOTES)
    home = make.selling_region(tax_rate=20)
    tax_rate("us", 10)
    ensure_default_region()
    abroad = RegionFactory(name="Abroad", countries=["fr"], currency_id="eur")
    address = AddressFactory(
        customer=customer,
        address_name="Home",
        is_default_shipping=True,
        is_default_billing=True,
        metadata=NOTES,
        **PLACE,
    )
    categories = build_categories()
    variants = build_variants(categories)
    cart = _cart(customer, home, variants)
    offer_shipping(variants[0].product.shipping_profile)
    open_accounts(customer)
    _ended_keys(staff)
    return Shop(
        staff=staff,
        customer=customer,
        address=address,
        card=_bought_card(customer, _cart(customer, home, variants)),
        cart=cart,
        cart_abroad=make.cart(region_id=abroad.pk),
        paid_cart=build_paid_cart(customer, provider_id=provider_id),
        categories=categories,
    )


def _ended_keys(staff: User) -> None:
    """Two, of which one is deleted too."""
    revoked, deleted = (secret_key(staff, title=title) for title in ("Revoked", "Deleted"))
    for each in (revoked, deleted):
        revocation.revoke(actor=staff_actor(staff), key_id=each.key.pk)
    deletion.delete(actor=SYSTEM, key_id=deleted.key.pk)


def _cart(customer: Customer, region: Region, variants: list[ProductVariant]) -> Cart:
    """The customer's, with a piece of each, taxed and at a discount."""
    promotion = PromotionFactory()
    return make.cart(
        *(NewLineItem(variant.pk, 1, NOTES) for variant in variants),
        actor=make.shopper(customer_id=customer.pk),
        region_id=region.pk,
        shipping_address=PLACE,
        promo_codes=[promotion.code],
    )


def _bought_card(customer: Customer, cart: Cart) -> GiftCard:
    return bought_gift_card(
        placed(cart=cart).items.order_by("id")[0],
        customer_id=customer.pk,
        reference="order",
        reference_id="order_1",
        note="Happy birthday",
        expires_at=now() + timedelta(days=9),
    )
