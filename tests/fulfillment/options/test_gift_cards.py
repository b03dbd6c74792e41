"""The options of carts with gift cards or e-books: of their profile, where nothing else is bought."""

from decimal import Decimal
from typing import TypeAlias

import pytest

from carts.details import details
from carts.lines import line_addition, line_change
from carts.models import Cart
from catalog.models import Product, ProductVariant
from fulfillment.methods import method_choice
from fulfillment.models import ShippingOption
from shop.models import ShippingProfile
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart, selling_region, shopper, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.fulfillment import ProfileFactory, option
from tests.factories.pricing import price
from tests.factories.products import ProductFactory
from tests.fulfillment.api.listing import names
from tests.orders.completing import order_of

pytestmark = pytest.mark.django_db
Same: TypeAlias = tuple[ProductVariant, ShippingOption]


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def profiles(db: None) -> tuple[ShippingProfile, ShippingProfile]:
    """Of cards and of mugs."""
    return ProfileFactory(type="gift_card"), ProfileFactory()


@pytest.fixture(params=[{"is_giftcard": True}, {"requires_shipping": False}], ids=["card", "e-book"])
def card(profiles: tuple[ShippingProfile, ShippingProfile], request: pytest.FixtureRequest) -> ProductVariant:
    """A gift card, or an e-book, for which the same holds."""
    return sold_variant(50, product=ProductFactory(shipping_profile=profiles[0], **request.param))


@pytest.fixture
def mug(profiles: tuple[ShippingProfile, ShippingProfile]) -> ProductVariant:
    return sold_variant(20, product=ProductFactory(shipping_profile=profiles[1]))


@pytest.fixture(autouse=True)
def by_email(profiles: tuple[ShippingProfile, ShippingProfile]) -> ShippingOption:
    option(5, name="Parcel", shipping_profile=profiles[1])
    return option(0, name="By e-mail", shipping_profile=profiles[0])


def methods(made: Cart) -> list[str]:
    return [method.name for method in made.shipping_methods.all()]


def choose(made: Cart, chosen: ShippingOption) -> None:
    method_choice.choose(actor=shopper(), cart_id=made.pk, option_id=chosen.pk)


def order_pieces(made: Cart, variant: ProductVariant, quantity: int) -> None:
    """So many of the variant, of which the cart has a line; 0 removes it."""
    line_id = made.items.get(variant=variant).pk
    line_change.change(actor=shopper(), cart_id=made.pk, line_id=line_id, quantity=quantity)


def shipping_and_total(made: Cart) -> tuple[Decimal, Decimal]:
    made.refresh_from_db()
    return made.shipping_total, made.total


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
    choose(made, by_email)
    assert methods(made) == ["By e-mail"]
    line = {"variant_id": mug.pk, "quantity": 1}
    assert store.post(f"/store/carts/{made.pk}/line-items", line).status_code == 200
    assert methods(made) == []
    order_pieces(made, mug, 0)
    assert names(store, made) == ["By e-mail"]


@pytest.fixture
def same(profiles: tuple[ShippingProfile, ShippingProfile]) -> Same:
    """A mug of the cards' profile, and a parcel for it, which cards alone may choose, too."""
    mug = sold_variant(20, product=ProductFactory(shipping_profile=profiles[0]))
    return mug, option(5, name="Parcel", shipping_profile=profiles[0])


def test_what_was_shipping_the_goods_leaves_with_the_last_of_them(card: ProductVariant, same: Same) -> None:
    mug, parcel = same
    other = sold_variant(10, product=mug.product)
    made = cart(card, mug, other)
    choose(made, parcel)
    order_pieces(made, mug, 0)
    assert shipping_and_total(made) == (5, 65)
    order_pieces(made, other, 0)
    assert shipping_and_total(made) == (0, 50)
    assert methods(made) == []


@pytest.mark.parametrize("profile", [None, "own"])
def test_so_does_one_that_ships_all_goods_and_a_free_one(card: ProductVariant, same: Same, profile: str | None) -> None:
    """What is free beside goods may cost something without them."""
    mug, _ = same
    parcel = option(5, shipping_profile=profile and mug.product.shipping_profile)
    price(parcel.price_set, 0, rules={"item_total": ("gte", "20")})
    made = cart(card, mug)
    choose(made, parcel)
    assert shipping_and_total(made) == (0, 70)
    order_pieces(made, mug, 0)
    assert shipping_and_total(made) == (0, 50)
    assert methods(made) == []


def test_methods_are_removed_when_staff_mark_goods_as_not_shipped(same: Same) -> None:
    mug, parcel = same
    made = cart(mug)
    choose(made, parcel)
    Product.objects.update(requires_shipping=False)
    assert shipping_and_total(made) == (5, 25)
    details.change(actor=shopper(), cart_id=made.pk, metadata={})
    assert shipping_and_total(made) == (0, 20)
    Product.objects.update(requires_shipping=True)
    choose(made, parcel)
    assert shipping_and_total(made) == (5, 25)


def test_what_was_chosen_for_cards_alone_stays_and_is_charged(card: ProductVariant, same: Same) -> None:
    _, parcel = same
    other = sold_variant(30, product=card.product)
    for chosen, cost in ((parcel, 5), (option(0, name="By e-mail", shipping_profile=card.product.shipping_profile), 0)):
        made = cart(card, other)
        choose(made, chosen)
        order_pieces(made, card, 2)
        order_pieces(made, other, 0)
        details.change(actor=shopper(), cart_id=made.pk, shipping_address={"country_code": "us"})
        assert shipping_and_total(made) == (cost, 100 + cost)
        assert methods(made) == [chosen.name]


def test_what_was_chosen_for_cards_alone_ships_no_goods(
    card: ProductVariant, same: Same, by_email: ShippingOption
) -> None:
    mug, _ = same
    made = cart(card)
    choose(made, by_email)
    line_addition.add(actor=shopper(), cart_id=made.pk, variant_id=mug.pk, quantity=1)
    assert methods(made) == []


def test_an_emptied_cart_is_charged_nothing_nor_are_cards_that_follow(card: ProductVariant, same: Same) -> None:
    mug, parcel = same
    made = cart(mug)
    choose(made, parcel)
    order_pieces(made, mug, 0)
    assert shipping_and_total(made) == (0, 0)
    line_addition.add(actor=shopper(), cart_id=made.pk, variant_id=card.pk, quantity=1)
    assert shipping_and_total(made) == (0, 50)


def test_what_was_chosen_for_an_empty_cart_ships_its_first_goods(same: Same) -> None:
    mug, parcel = same
    made = cart()
    choose(made, parcel)
    line_addition.add(actor=shopper(), cart_id=made.pk, variant_id=mug.pk, quantity=1)
    assert shipping_and_total(made) == (5, 25)


@pytest.mark.parametrize("is_chosen", [True, False])
def test_cards_alone_are_bought_with_the_method_and_without(
    card: ProductVariant, by_email: ShippingOption, is_chosen: bool
) -> None:
    made = ready_cart(card, region_id=selling_region(tax_rate=20).pk, shipping=None)
    if is_chosen:
        choose(made, by_email)
    order = order_of(made)
    assert order.total == (50 if card.product.is_giftcard else 60)
    assert [method.name for method in order.shipping_methods.all()] == ["By e-mail"] * is_chosen
