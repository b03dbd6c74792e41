"""The options of carts with gift cards: of their profile, where nothing else is bought."""

from decimal import Decimal

import pytest

from carts.lines import line_change
from carts.models import Cart
from catalog.models import ProductVariant
from fulfillment.methods import method_choice
from fulfillment.models import ShippingOption
from shop.models import ShippingProfile
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart, selling_region, shopper, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.fulfillment import ProfileFactory, option
from tests.factories.products import ProductFactory
from tests.fulfillment.api.listing import names
from tests.orders.completing import order_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def profiles(db: None) -> tuple[ShippingProfile, ShippingProfile]:
    """Of cards and of mugs."""
    return ProfileFactory(type="gift_card"), ProfileFactory()


@pytest.fixture
def card(profiles: tuple[ShippingProfile, ShippingProfile]) -> ProductVariant:
    return sold_variant(50, product=ProductFactory(is_giftcard=True, shipping_profile=profiles[0]))


@pytest.fixture
def mug(profiles: tuple[ShippingProfile, ShippingProfile]) -> ProductVariant:
    return sold_variant(20, product=ProductFactory(shipping_profile=profiles[1]))


@pytest.fixture(autouse=True)
def by_email(profiles: tuple[ShippingProfile, ShippingProfile]) -> ShippingOption:
    option(5, name="Parcel", shipping_profile=profiles[1])
    return option(0, name="By e-mail", shipping_profile=profiles[0])


def methods(made: Cart) -> list[str]:
    return [method.name for method in made.shipping_methods.all()]


def test_cards_alone_have_the_options_of_their_profile(store: Caller, card: ProductVariant) -> None:
    assert names(store, cart(card)) == ["By e-mail"]


def test_beside_goods_there_are_those_of_the_goods_alone(
    store: Caller, card: ProductVariant, mug: ProductVariant
) -> None:
    assert names(store, cart(card, mug)) == ["Parcel"]
    assert names(store, cart(mug)) == ["Parcel"]
    assert names(store, cart()) == ["By e-mail", "Parcel"]


def test_the_method_leaves_the_cart_once_goods_are_added(
    store: Caller, card: ProductVariant, mug: ProductVariant, by_email: ShippingOption
) -> None:
    made = cart(card)
    method_choice.choose(actor=shopper(), cart_id=made.pk, option_id=by_email.pk)
    assert methods(made) == ["By e-mail"]
    line = {"variant_id": mug.pk, "quantity": 1}
    assert store.post(f"/store/carts/{made.pk}/line-items", line).status_code == 200
    assert methods(made) == []
    line_change.change(actor=shopper(), cart_id=made.pk, line_id=made.items.get(variant=mug).pk, quantity=0)
    assert names(store, made) == ["By e-mail"]


@pytest.mark.parametrize("is_chosen", [True, False])
def test_cards_alone_are_bought_with_the_method_and_without(
    card: ProductVariant, by_email: ShippingOption, is_chosen: bool
) -> None:
    made = ready_cart(card, region_id=selling_region(tax_rate=20).pk, shipping=None)
    if is_chosen:
        method_choice.choose(actor=shopper(), cart_id=made.pk, option_id=by_email.pk)
    order = order_of(made)
    assert order.total == Decimal(50)
    assert [method.name for method in order.shipping_methods.all()] == ["By e-mail"] * is_chosen
