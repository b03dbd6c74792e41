"""How a cart is shipped: chosen, replaced, taken back, and following what becomes of the cart."""

from decimal import Decimal
from typing import Any

import pytest

from carts.details import details
from carts.errors import CartCompleted, CartNotFound
from carts.lines import line_addition, line_change
from carts.lines.lines import NewLineItem
from carts.models import Cart, ShippingMethod, ShippingMethodTaxLine
from fulfillment.errors import OptionNotAvailable, OptionWithoutPrice, ShippingMethodNotFound, ShippingProviderRefused
from fulfillment.methods import method_choice
from fulfillment.models import ShippingOption
from kit.errors import Conflict, DomainError, InvalidData
from kit.values.timestamps import now
from tests.architecture.test_query_budgets import statements
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.pricing import price
from tests.factories.products import ProductFactory

pytestmark = pytest.mark.django_db


def choose(cart: Cart, chosen: ShippingOption, **values: Any) -> None:
    method_choice.choose(actor=make.shopper(), cart_id=cart.pk, option_id=chosen.pk, **values)


def methods(cart: Cart) -> list[tuple[str | None, Decimal]]:
    return list(cart.shipping_methods.order_by("pk").values_list("shipping_option_id", "amount"))


def totals(cart: Cart) -> tuple[Decimal, Decimal, Decimal]:
    """Shipping, tax, and all."""
    cart.refresh_from_db()
    return cart.shipping_total, cart.tax_total, cart.total


def refused(refusal: type[DomainError], cart: Cart, option_id: str, **values: Any) -> str:
    """The message of a refusal that has changed nothing."""
    before = (methods(cart), Cart.objects.values().get(pk=cart.pk))
    with pytest.raises(refusal) as reported:
        method_choice.choose(actor=values.pop("actor", make.shopper()), cart_id=cart.pk, option_id=option_id, **values)
    assert (methods(cart), Cart.objects.values().get(pk=cart.pk)) == before
    return reported.value.message


class TestChosen:
    def test_a_method_remembers_its_option_and_is_taxed(self) -> None:
        parcel = option(5, name="Parcel")
        cart = make.cart(make.sold_variant(10), region_id=make.selling_region(tax_rate=20).pk)
        choose(cart, parcel, data={"note": "ring twice"})
        (method,) = cart.shipping_methods.all()
        assert (method.name, method.amount, method.data) == ("Parcel", 5, {"note": "ring twice"})
        assert (method.total, method.subtotal, method.is_tax_inclusive) == (6, 5, False)
        assert [(tax.rate, tax.total) for tax in method.tax_lines.all()] == [(20, 1)]
        assert totals(cart) == (6, 3, 18)

    def test_one_method_ships_the_goods_of_a_profile(self) -> None:
        bulky, small = ProfileFactory(), ProfileFactory()
        cart = make.cart(*(make.sold_variant(product=ProductFactory(shipping_profile=each)) for each in (bulky, small)))
        slow, fast = (option(amount, shipping_profile=bulky) for amount in (5, 9))
        letter = option(1, shipping_profile=small)
        for each in (slow, letter, fast):
            choose(cart, each)
        assert sorted(methods(cart)) == sorted([(letter.pk, 1), (fast.pk, 9)])
        assert totals(cart) == (10, 0, 30)
        assert ShippingMethodTaxLine.objects.count() == 0

    def test_the_same_choice_again_leaves_one_method(self) -> None:
        cart, parcel = make.cart(region_id=make.selling_region(tax_rate=20).pk), option(5)
        for _ in range(2):
            choose(cart, parcel)
        assert methods(cart) == [(parcel.pk, 5)]
        assert ShippingMethodTaxLine.objects.count() == 1

    def test_what_the_cart_may_not_choose_is_refused(self) -> None:
        cart = make.cart(shipping_address={"country_code": "us"})
        for wrong in (
            option(5, of=zone("fr")).pk,
            option(5, rules=[("is_return", "eq", "true")]).pk,
            option(5, rules=[("enabled_in_store", "eq", "false")]).pk,
            "nobody",
            "\ud800",
            "",
        ):
            assert refused(OptionNotAvailable, cart, wrong) == "Shipping Options are invalid for cart."

    def test_what_has_no_price_is_refused(self) -> None:
        euros = option(5, currency_code="eur")
        reported = refused(OptionWithoutPrice, make.cart(), euros.pk)
        assert reported == f"Shipping option '{euros.name}' does not have a price"

    def test_a_calculated_one_is_not_chosen_without_having_asked(self) -> None:
        refused(Conflict, make.cart(), option(None, price_type="calculated").pk)

    def test_a_completed_cart_and_that_of_somebody_else_stay_as_they_are(self) -> None:
        parcel, cart = option(5), make.cart()
        Cart.objects.filter(pk=cart.pk).update(completed_at=now())
        refused(CartCompleted, cart, parcel.pk)
        hers = make.cart(actor=make.shopper(customer_id=CustomerFactory().pk))
        refused(CartNotFound, hers, parcel.pk)
        refused(CartNotFound, hers, parcel.pk, actor=make.shopper(customer_id=CustomerFactory().pk))

    def test_data_are_bounded(self, settings: Any) -> None:
        settings.MAX_METADATA = 20
        assert "'data'" in refused(InvalidData, make.cart(), option(5).pk, data={"a": "x" * 30})


class TestTakenBack:
    def test_one_or_all(self) -> None:
        first, second = ProfileFactory(), ProfileFactory()
        cart = make.cart(region_id=make.selling_region(tax_rate=20).pk)
        for profile in (first, second):
            choose(cart, option(5, shipping_profile=profile))
        one, other = cart.shipping_methods.order_by("pk")
        method_choice.remove(actor=make.shopper(), cart_id=cart.pk, ids=[one.pk])
        assert [each.pk for each in cart.shipping_methods.all()] == [other.pk]
        assert totals(cart) == (6, 1, 6)
        with pytest.raises(ShippingMethodNotFound):
            method_choice.remove(actor=make.shopper(), cart_id=cart.pk, ids=[other.pk, one.pk])
        assert totals(cart) == (6, 1, 6)
        method_choice.remove(actor=make.shopper(), cart_id=cart.pk)
        assert totals(cart) == (0, 0, 0)
        assert ShippingMethodTaxLine.objects.count() == 0


class TestFollowing:
    def test_an_amount_follows_its_price(self) -> None:
        parcel, mug = option(5), make.sold_variant(10)
        price(parcel.price_set, 0, rules={"item_total": ("gte", "50")})
        cart = make.cart(mug)
        choose(cart, parcel)
        line = cart.items.get().pk
        for quantity, expected in ((5, (0, 0, 50)), (4, (5, 0, 45))):
            line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line, quantity=quantity)
            assert totals(cart) == expected
        assert ShippingMethod.objects.count() == 1

    def test_a_method_goes_with_the_place(self) -> None:
        cart = make.cart(region_id=make.selling_region(countries=["us", "ca"], tax_rate=20).pk)
        choose(cart, option(5, of=zone("us")))
        details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address={"country_code": "us"})
        assert totals(cart) == (6, 1, 6)
        details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address={"country_code": "ca"})
        assert totals(cart) == (0, 0, 0)
        assert methods(cart) == []
        assert ShippingMethodTaxLine.objects.count() == 0

    def test_a_method_goes_with_the_goods_it_was_for(self) -> None:
        bulky = ProfileFactory()
        sofa = make.sold_variant(product=ProductFactory(shipping_profile=bulky))
        cart = make.cart(sofa, make.sold_variant())
        choose(cart, option(5, shipping_profile=bulky))
        line = cart.items.get(variant=sofa).pk
        line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line, quantity=0)
        assert methods(cart) == []

    def test_a_method_goes_with_its_option_or_its_price(self) -> None:
        first, second = ProfileFactory(), ProfileFactory()
        cart, mug = make.cart(), make.sold_variant(10)
        gone, unpriced = (option(5, shipping_profile=profile) for profile in (first, second))
        stays = option(7)
        for each in (gone, unpriced, stays):
            choose(cart, each)
        gone.deleted_at = now()
        gone.save()
        unpriced.price_set.prices.update(deleted_at=now())
        other = make.sold_variant(product=ProductFactory(shipping_profile=first))
        both = make.sold_variant(product=ProductFactory(shipping_profile=second))
        for variant in (mug, other, both):
            line_addition.add(actor=make.shopper(), cart_id=cart.pk, variant_id=variant.pk, quantity=1)
        assert methods(cart) == [(stays.pk, 7)]

    def test_another_currency_brings_other_amounts(self) -> None:
        parcel = option(5, of=zone("us", "de"))
        price(parcel.price_set, 4, "eur")
        cart = make.cart()
        choose(cart, parcel)
        euros = make.selling_region(currency_id="eur", countries=["de"])
        details.change(actor=make.shopper(), cart_id=cart.pk, region_id=euros.pk)
        assert methods(cart) == [(parcel.pk, 4)]

    def test_a_cart_without_methods_asks_nothing_of_shipping(self) -> None:
        option(5)
        cart, mug = make.cart(), make.sold_variant()
        with statements() as texts:
            line_addition.add(actor=make.shopper(), cart_id=cart.pk, variant_id=mug.pk, quantity=1)
        assert [text for text in texts if "fulfillment_" in text] == []

    def test_a_change_of_nothing_writes_nothing(self) -> None:
        cart = make.cart(NewLineItem(make.sold_variant(10).pk, 2), region_id=make.selling_region(tax_rate=20).pk)
        choose(cart, option(5))
        with statements() as texts:
            details.change(actor=make.shopper(), cart_id=cart.pk)
        assert [text for text in texts if text.startswith(("INSERT", "UPDATE", "DELETE"))] == []


class TestPricedByItsProvider:
    """By weight: 4 and 0.01 for each unit."""

    @pytest.fixture(autouse=True)
    def provider(self, db: None) -> None:
        from shop.models import FulfillmentProvider  # noqa: PLC0415

        FulfillmentProvider.objects.get_or_create(id="weight_weight")

    def by_weight(self, **values: Any) -> ShippingOption:
        data = {"base": {"usd": 4}, "per_weight": {"usd": 0.01}, "heaviest": 1000}
        return option(None, price_type="calculated", **{"provider_id": "weight_weight", "data": data, **values})

    def chosen(self, cart: Cart, chosen: ShippingOption, **values: Any) -> None:
        actor = make.shopper()
        reported = method_choice.request_price(actor=actor, cart_id=cart.pk, option_id=chosen.pk)
        method_choice.choose(actor=actor, cart_id=cart.pk, option_id=chosen.pk, quoted=reported, **values)

    def test_it_costs_what_the_provider_says_until_the_goods_or_the_place_are_others(self) -> None:
        parcel, mug = self.by_weight(), make.sold_variant(10, weight=250)
        cart = make.cart(mug)
        self.chosen(cart, parcel)
        assert methods(cart) == [(parcel.pk, Decimal("6.5"))]
        details.change(actor=make.shopper(), cart_id=cart.pk, email="a@example.com")
        assert totals(cart)[0] == Decimal("6.5")
        line = cart.items.get().pk
        line_change.change(actor=make.shopper(), cart_id=cart.pk, line_id=line, quantity=2)
        assert methods(cart) == []
        self.chosen(cart, parcel)
        assert methods(cart) == [(parcel.pk, 9)]
        details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address={"country_code": "us"})
        assert methods(cart) == []

    def test_a_cart_that_changed_since_it_was_asked_is_asked_about_again(self) -> None:
        parcel, mug = self.by_weight(), make.sold_variant(10, weight=250)
        cart, actor = make.cart(mug), make.shopper()
        reported = method_choice.request_price(actor=actor, cart_id=cart.pk, option_id=parcel.pk)
        line_addition.add(actor=actor, cart_id=cart.pk, variant_id=mug.pk, quantity=1)
        refused(Conflict, cart, parcel.pk, quoted=reported)

    def test_nobody_writes_their_own_price(self) -> None:
        parcel, mug = self.by_weight(), make.sold_variant(10, weight=250)
        cart = make.cart(mug)
        self.chosen(cart, parcel, data={"priced_for": "mine"})
        assert cart.shipping_methods.get().data["priced_for"] != "mine"

    def test_the_providers_refusal_is_reported(self) -> None:
        cart = make.cart(NewLineItem(make.sold_variant(10, weight=250).pk, 5))
        parcel = self.by_weight()
        with pytest.raises(ShippingProviderRefused) as reported:
            method_choice.request_price(actor=make.shopper(), cart_id=cart.pk, option_id=parcel.pk)
        assert reported.value.message == "The fulfillment provider refused: The parcel is too heavy"
