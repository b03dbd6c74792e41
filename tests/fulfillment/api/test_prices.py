"""What ways of shipping cost a cart, and whether their location holds enough."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from catalog.models import Reservation
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.pricing import PriceListFactory, price
from tests.fulfillment.api.listing import NEW_YORK, PATH, only

pytestmark = pytest.mark.django_db


class TestPrices:
    def test_a_flat_option_without_a_price_is_left_out_and_a_calculated_one_waits(self, store: Caller) -> None:
        option(None, name="free of prices")
        option(5, name="in euros", currency_code="eur")
        option(None, name="without a set", price_set=None)
        option(None, name="calculated", price_type="calculated")
        cart = make.cart()
        shown = only(store, cart)
        assert (shown["name"], shown["amount"], shown["calculated_price"]) == ("calculated", None, None)
        assert (shown["prices"], shown["is_tax_inclusive"]) == ([], False)

    def test_the_amount_follows_the_carts_rules(self, store: Caller) -> None:
        region = make.selling_region()
        made = option(10)
        price(made.price_set, 8, region=region)
        price(made.price_set, 0, rules={"item_total": ("gte", "50"), "region_id": region.pk})
        mug = make.sold_variant(10)
        amounts = [
            only(store, make.cart(NewLineItem(mug.pk, pieces), region_id=region.pk), "fields=amount")["amount"]
            for pieces in (1, 4, 5)
        ]
        assert amounts == [8, 8, 0]
        assert only(store, make.cart(mug), "fields=amount")["amount"] == 10

    @pytest.mark.parametrize(
        ("attribute", "value"),
        [
            ("customer_id", "cus_01PRICED"),
            ("customer.id", "cus_01PRICED"),
            ("currency_code", "usd"),
            ("shipping_address.country_code", "us"),
            ("shipping_address.province", "us-ny"),
            ("shipping_address.city", "New York"),
            ("shipping_address.postal_code", "10001"),
        ],
    )
    def test_prices_and_options_know_whose_the_cart_is_and_where_it_goes(
        self, store: Caller, attribute: str, value: str
    ) -> None:
        price(option(10, name="priced").price_set, 8, rules={attribute: value})
        option(5, name="ruled", rules=[(attribute, "eq", value)])
        region = make.selling_region().pk
        hers = make.shopper(customer_id=CustomerFactory(pk="cus_01PRICED").pk)
        known = make.cart(actor=hers, region_id=region, shipping_address=NEW_YORK)
        query = "fields=name,amount&order=name"
        reported = store.get(PATH, f"cart_id={known.pk}&{query}").json()["shipping_options"]
        assert [(each["name"], each["amount"]) for each in reported] == [("priced", 8), ("ruled", 5)]
        if attribute != "currency_code":
            assert only(store, make.cart(region_id=region), query)["amount"] == 10

    def test_a_sale_undercuts_and_is_not_listed_among_the_prices(self, store: Caller) -> None:
        made = option(10)
        price(made.price_set, 7, price_list=PriceListFactory())
        shown = only(store, make.cart())
        assert (shown["amount"], shown["calculated_price"]["original_amount"]) == (7, 10)
        assert [each["amount"] for each in shown["prices"]] == [10]

    def test_taxes_are_those_of_the_cart(self, store: Caller) -> None:
        option(10)
        region = make.selling_region(tax_rate=20)
        shown = only(store, make.cart(region_id=region.pk))["calculated_price"]
        assert (shown["calculated_amount"], shown["calculated_amount_with_tax"]) == (10, 12)

    def test_other_currencies_show_where_the_shop_says_so(self, store: Caller, settings: Any) -> None:
        made = option(10)
        euros = price(made.price_set, 9, "eur", rules={"item_total": ("gt", "5")})
        cart = make.cart()
        assert [each["currency_code"] for each in only(store, cart)["prices"]] == ["usd"]
        settings.SHOW_ALL_CURRENCIES = True
        shown = only(store, cart)["prices"]
        assert sorted(each["currency_code"] for each in shown) == ["eur", "usd"]
        (found,) = (each for each in shown if each["id"] == euros.pk)
        assert (found["amount"], found["price_rules"][0]["value"]) == (9, "5")


class TestStock:
    def test_all_lines_together_count_at_the_options_own_location(self, store: Caller) -> None:
        near, far = StockLocationFactory(), StockLocationFactory()
        option(5, name="near", of=zone(location=near))
        option(5, name="far", of=zone(location=far))
        item = InventoryItemFactory()
        single, pair = make.sold_variant(in_stock=0), make.sold_variant(in_stock=0)
        for variant in (single, pair):
            variant.inventory_links.all().delete()
        stock(single, 5, item=item, location=near)
        stock(pair, 4, item=item, location=far, required_quantity=2)

        def short(*pieces: NewLineItem) -> dict[str, bool]:
            shown = store.get(PATH, f"cart_id={make.cart(*pieces).pk}").json()["shipping_options"]
            return {each["name"]: each["insufficient_inventory"] for each in shown}

        assert short(NewLineItem(single.pk, 4)) == {"near": False, "far": False}
        assert short(NewLineItem(single.pk, 5)) == {"near": False, "far": True}
        assert short(NewLineItem(single.pk, 1), NewLineItem(pair.pk, 2)) == {"near": False, "far": True}
        assert short(NewLineItem(single.pk, 2), NewLineItem(pair.pk, 2)) == {"near": True, "far": True}

    def test_what_is_reserved_is_not_there(self, store: Caller) -> None:
        location = StockLocationFactory()
        option(5, of=zone(location=location))
        mug = make.sold_variant(in_stock=0)
        mug.inventory_links.all().delete()
        level = stock(mug, 2, location=location)
        cart = make.cart(NewLineItem(mug.pk, 2))
        assert only(store, cart)["insufficient_inventory"] is False
        Reservation.objects.create(inventory_item=level.inventory_item, location=location, quantity=1)
        assert only(store, cart)["insufficient_inventory"] is True

    def test_what_is_not_limited_never_lacks(self, store: Caller) -> None:
        option(5)
        unmanaged, backordered = make.sold_variant(), make.sold_variant(in_stock=0, allow_backorder=True)
        assert only(store, make.cart(unmanaged, backordered))["insufficient_inventory"] is False
