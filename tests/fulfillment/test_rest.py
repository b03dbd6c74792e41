"""GET /store/shipping-options: which ways of shipping a cart is shown, and what of them."""

from typing import Any

import pytest

from carts.lines import Piece
from carts.models import Cart
from commerce.core.timestamps import now
from fulfillment.models import ShippingOption
from tests.contract.callers import Caller, invalid, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db

PATH = "/store/shipping-options"
NEW_YORK = {"country_code": "us", "province": "ny", "city": "New York", "postal_code": "10001"}


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


def names(caller: Caller, cart: Cart, query: str = "") -> list[str]:
    """Of what the cart is shown, in the alphabet's order."""
    response = caller.get(PATH, f"cart_id={cart.pk}&{query}")
    assert response.status_code == 200, response.content
    return sorted(each["name"] for each in response.json()["shipping_options"])


def only(caller: Caller, cart: Cart, query: str = "") -> dict[str, Any]:
    (shown,) = caller.get(PATH, f"cart_id={cart.pk}&{query}").json()["shipping_options"]
    return dict(shown)


class TestWhole:
    def test_an_option_is_shown_with_all_that_belongs_to_it(self, store: Caller) -> None:
        place, profile = zone(), ProfileFactory()
        product = ProductFactory(shipping_profile=profile)
        made = option(5, name="Parcel", of=place, shipping_profile=profile, data={"secret": 1})
        free = price(made.price_set, 0, rules={"item_total": ("gte", "100")})
        cart = make.cart(make.sold_variant(10, product=product), shipping_address=NEW_YORK)
        (base,) = made.price_set.prices.filter(amount=5)
        response = store.get(PATH, f"cart_id={cart.pk}")
        ways = place.fulfillment_set
        reference = {"price_list_id": None, "price_list_type": None, "min_quantity": None, "max_quantity": None}
        amounts = {
            f"{which}_amount{suffix}": 5
            for which in ("calculated", "original")
            for suffix in ("", "_with_tax", "_without_tax")
        }
        flags = {
            f"is_{which}_price_{fact}": False
            for which in ("calculated", "original")
            for fact in ("price_list", "tax_inclusive")
        }
        rule = free.rules.get()
        terms = {"currency_code": "usd", "min_quantity": None, "max_quantity": None}
        assert response.json() == {
            "shipping_options": [
                {
                    "id": made.pk,
                    "name": "Parcel",
                    "price_type": "flat",
                    "service_zone_id": place.pk,
                    "provider_id": "manual_manual",
                    "shipping_profile_id": profile.pk,
                    "amount": 5,
                    "is_tax_inclusive": False,
                    "data": None,
                    "insufficient_inventory": False,
                    "provider": {"id": "manual_manual", "is_enabled": True},
                    "type": {
                        "id": made.type_id,
                        "label": "Standard",
                        "description": "In three days",
                        "code": "standard",
                    },
                    "prices": [
                        {"id": base.pk, "amount": 5, "price_rules": [], **terms},
                        {
                            "id": free.pk,
                            "amount": 0,
                            "price_rules": [
                                {"id": rule.pk, "attribute": "item_total", "operator": "gte", "value": "100"}
                            ],
                            **terms,
                        },
                    ],
                    "calculated_price": {
                        "id": made.price_set_id,
                        "currency_code": "usd",
                        "calculated_price": {"id": base.pk, **reference},
                        "original_price": {"id": base.pk, **reference},
                        **amounts,
                        **flags,
                    },
                    "service_zone": {
                        "id": place.pk,
                        "fulfillment_set_id": ways.pk,
                        "fulfillment_set": {
                            "id": ways.pk,
                            "type": "shipping",
                            "location": {"id": ways.location_id, "address": None},
                        },
                    },
                }
            ],
            "count": 1,
            "estimate_count": 1,
            "offset": 0,
            "limit": 20,
        }

    def test_an_option_need_not_have_a_provider_or_type(self, store: Caller) -> None:
        option(5, provider_id=None, type=None)
        shown = only(store, make.cart(shipping_address=NEW_YORK), "fields=provider,type,provider_id")
        assert shown == {"id": shown["id"], "provider_id": None, "provider": None, "type": None}


class TestFitting:
    def test_an_address_decides_by_its_place(self, store: Caller) -> None:
        areas: dict[str, Any] = {
            "land": "us",
            "state": {"type": "province", "country_id": "us", "province_code": "us-ny"},
            "other state": {"type": "province", "country_id": "us", "province_code": "us-ca"},
            "town": {"type": "city", "country_id": "us", "city": "NEW YORK"},
            "streets": {"type": "zip", "country_id": "us", "postal_expression": {"from": "10000", "to": "10299"}},
            "abroad": "fr",
        }
        for name, area in areas.items():
            option(5, name=name, of=zone(area))
        assert names(store, make.cart(shipping_address=NEW_YORK)) == ["land", "state", "streets", "town"]
        assert names(store, make.cart(shipping_address={"country_code": "us"})) == ["land"]
        everywhere = ["land", "other state", "state", "streets", "town"]
        assert names(store, make.cart()) == everywhere
        assert names(store, make.cart(shipping_address={"city": "New York"})) == everywhere

    def test_a_zone_of_many_areas_is_shown_once(self, store: Caller) -> None:
        option(5, name="both", of=zone("us", {"type": "city", "country_id": "us", "city": "New York"}))
        assert names(store, make.cart(shipping_address=NEW_YORK)) == ["both"]

    def test_goods_decide_by_their_profiles(self, store: Caller) -> None:
        bulky, small = ProfileFactory(), ProfileFactory()
        for name, profile in (("any", None), ("bulky", bulky), ("small", small)):
            option(5, name=name, shipping_profile=profile)
        sofa = make.sold_variant(product=ProductFactory(shipping_profile=bulky))
        ring = make.sold_variant(product=ProductFactory(shipping_profile=small))
        plain, voucher = make.sold_variant(), make.sold_variant(product=ProductFactory(is_giftcard=True))
        assert names(store, make.cart()) == ["any", "bulky", "small"]
        assert names(store, make.cart(sofa)) == ["any", "bulky"]
        assert names(store, make.cart(sofa, ring, plain)) == ["any", "bulky", "small"]
        assert names(store, make.cart(plain)) == ["any"]
        assert names(store, make.cart(voucher)) == ["any"]

    def test_rules_decide_by_the_cart(self, store: Caller) -> None:
        region = make.selling_region()
        option(5, name="here", rules=[("region_id", "eq", region.pk), ("enabled_in_store", "eq", "true")])
        option(5, name="elsewhere", rules=[("region_id", "ne", region.pk)])
        option(5, name="back office", rules=[("enabled_in_store", "eq", "false")])
        option(5, name="dear", rules=[("item_total", "gte", "30")])
        gone = option(5, name="once ruled out", rules=[("enabled_in_store", "eq", "false")])
        gone.rules.update(deleted_at=now())
        mug = make.sold_variant(10)
        assert names(store, make.cart(Piece(mug.pk, 2), region_id=region.pk)) == ["here", "once ruled out"]
        assert names(store, make.cart(Piece(mug.pk, 3), region_id=region.pk)) == ["dear", "here", "once ruled out"]

    def test_only_what_is_alive_and_sold_from_there_is_shown(self, store: Caller) -> None:
        shown, moment = option(5, name="shown"), now()
        elsewhere = StockLocationFactory(sales_channels=[SalesChannelFactory()])
        option(5, name="of another channel", of=zone(location=elsewhere))
        option(5, name="gone").delete()
        for name in ("option", "area", "zone", "set", "location"):
            each = option(5, name=f"without its {name}")
            owner: Any = {
                "option": each,
                "area": each.service_zone.geo_zones.get(),
                "zone": each.service_zone,
                "set": each.service_zone.fulfillment_set,
                "location": each.service_zone.fulfillment_set.location,
            }[name]
            type(owner).objects.filter(pk=owner.pk).update(deleted_at=moment)
        detached = option(5, name="without a location")
        detached.service_zone.fulfillment_set.location = None
        detached.service_zone.fulfillment_set.save()
        assert names(store, make.cart()) == [shown.name]
        assert names(store, make.cart(), "with_deleted=true") == [shown.name]

    def test_returns_are_asked_for(self, store: Caller) -> None:
        option(5, name="both")
        option(5, name="out", rules=[("is_return", "eq", "false")])
        option(5, name="back", rules=[("is_return", "eq", "true")])
        cart = make.cart()
        assert names(store, cart) == names(store, cart, "is_return=false") == ["both", "out"]
        assert names(store, cart, "is_return=true") == ["back", "both"]
        assert names(store, cart, "$or[0][is_return]=true&$or[1][is_return]=false") == ["back", "both", "out"]
        assert names(store, cart, "is_return=true&$and[0][is_return]=false") == ["both"]
        assert names(store, cart, f"$and[0][is_return]=true&$and[0][cart_id]={cart.pk}") == ["back", "both"]
        assert names(store, cart, f"$and[0][cart_id]={cart.pk}") == ["both", "out"]


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
            only(store, make.cart(Piece(mug.pk, pieces), region_id=region.pk), "fields=amount")["amount"]
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
        told = store.get(PATH, f"cart_id={known.pk}&{query}").json()["shipping_options"]
        assert [(each["name"], each["amount"]) for each in told] == [("priced", 8), ("ruled", 5)]
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

        def short(*pieces: Piece) -> dict[str, bool]:
            shown = store.get(PATH, f"cart_id={make.cart(*pieces).pk}").json()["shipping_options"]
            return {each["name"]: each["insufficient_inventory"] for each in shown}

        assert short(Piece(single.pk, 4)) == {"near": False, "far": False}
        assert short(Piece(single.pk, 5)) == {"near": False, "far": True}
        assert short(Piece(single.pk, 1), Piece(pair.pk, 2)) == {"near": False, "far": True}
        assert short(Piece(single.pk, 2), Piece(pair.pk, 2)) == {"near": True, "far": True}

    def test_what_is_reserved_is_not_there(self, store: Caller) -> None:
        location = StockLocationFactory()
        option(5, of=zone(location=location))
        mug = make.sold_variant(in_stock=0)
        mug.inventory_links.all().delete()
        level = stock(mug, 2, location=location)
        cart = make.cart(Piece(mug.pk, 2))
        assert only(store, cart)["insufficient_inventory"] is False
        level.reserved_quantity = 1
        level.save()
        assert only(store, cart)["insufficient_inventory"] is True

    def test_what_is_not_limited_never_lacks(self, store: Caller) -> None:
        option(5)
        unmanaged, backordered = make.sold_variant(), make.sold_variant(in_stock=0, allow_backorder=True)
        assert only(store, make.cart(unmanaged, backordered))["insufficient_inventory"] is False


class TestHidden:
    ADDRESS = {"company": "Us", "address_1": "1 Dock", "city": "New York", "country_code": "us", "metadata": {"a": 1}}

    def at(self, type: str) -> ShippingOption:
        from commerce.shop.models import StockLocationAddress  # noqa: PLC0415

        location = StockLocationFactory(address=StockLocationAddress.objects.create(**self.ADDRESS))
        return option(5, of=zone(location=location, type=type), data={"contract": "7"})

    def test_a_warehouse_and_a_providers_data_are_the_shops_own_affair(self, store: Caller, settings: Any) -> None:
        self.at("shipping")
        cart = make.cart()
        shown = only(store, cart)
        assert (shown["data"], shown["service_zone"]["fulfillment_set"]["location"]["address"]) == (None, None)
        settings.SHOW_WAREHOUSE_ADDRESSES = settings.SHOW_PROVIDER_DATA = True
        shown = only(store, cart)
        assert shown["data"] == {"contract": "7"}
        assert shown["service_zone"]["fulfillment_set"]["location"]["address"]["address_1"] == "1 Dock"

    def test_who_picks_up_has_to_know_where(self, store: Caller) -> None:
        self.at("pickup")
        address = only(store, make.cart())["service_zone"]["fulfillment_set"]["location"]["address"]
        assert list(address) == [
            *("id", "company", "address_1", "address_2", "city", "country_code", "province", "postal_code", "phone"),
            *("metadata", "created_at", "updated_at", "deleted_at"),
        ]
        assert {name: address[name] for name in self.ADDRESS} == self.ADDRESS
        assert address["deleted_at"] is None
        assert address["created_at"].endswith("Z")


class TestLists:
    def test_fields_order_and_page(self, store: Caller) -> None:
        for name, amount in (("b", 3), ("a", 7), ("c", 5)):
            option(amount, name=name)
        option(None, name="d", price_type="calculated", type=None)
        cart = make.cart()

        def listed(query: str) -> list[str]:
            answer = store.get(PATH, f"cart_id={cart.pk}&fields=name&{query}").json()
            assert answer["count"] == answer["estimate_count"] == 4
            return [each["name"] for each in answer["shipping_options"]]

        assert listed("order=name") == ["a", "b", "c", "d"]
        assert listed("order=-name") == ["d", "c", "b", "a"]
        assert listed("order=amount") == ["b", "c", "a", "d"]
        assert listed("order=-amount") == ["d", "a", "c", "b"]
        assert listed("order=type.label&limit=3")[-1] != "d"
        assert listed("order=name&offset=1&limit=2") == ["b", "c"]
        assert listed("limit=0") == []
        assert listed("offset=4") == []
        assert listed("") == sorted(listed(""), key=lambda name: ShippingOption.objects.get(name=name).pk)

    @pytest.mark.parametrize(
        ("query", "told"),
        [
            ("is_return=maybe", "Expected type: 'boolean' for field 'is_return', got: 'maybe'"),
            ("limit=1001", "Value for field 'limit' too big, expected at most: '1000'"),
            ("q=a", "Unrecognized fields: 'q'"),
            ("$and[0][name]=a", "Unrecognized fields: 'name'"),
            ("$or[0][is_return]=1", "Expected type: 'boolean' for field 'is_return', got: '1'"),
            ("$or[0][cart_id]=other", "Field 'cart_id' within $and and $or has to be 'cart_1', got: 'other'"),
        ],
    )
    def test_what_is_not_understood_is_refused(self, store: Caller, query: str, told: str) -> None:
        assert refusal(store.get(PATH, f"cart_id=cart_1&{query}")) == invalid(told)

    def test_orders_and_fields_that_there_are_none_of(self, store: Caller) -> None:
        assert refusal(store.get(PATH, "cart_id=c&order=data")) == (400, "Order field data is not valid")
        assert refusal(store.get(PATH, "cart_id=c&fields=rules")) == (400, "Requested fields [rules] are not valid")

    @pytest.mark.parametrize("query", ["", "is_return=true", "$and[0][cart_id]=cart_1"])
    def test_a_cart_has_to_be_named(self, store: Caller, query: str) -> None:
        assert refusal(store.get(PATH, query)) == invalid("Field 'cart_id' is required")

    def test_a_list_of_carts_is_no_cart(self, store: Caller) -> None:
        assert store.get(PATH, "cart_id[]=a&cart_id[]=b").status_code == 400


class TestWhoseCart:
    def test_whoever_knows_the_id_is_answered_but_nobody_signed_in_as_somebody_else(self, store: Caller) -> None:
        option(5, name="shown")
        ann, ben = CustomerFactory(), CustomerFactory()
        token = publishable_key().token
        region = make.selling_region().pk
        hers = make.cart(actor=make.shopper(customer_id=ann.pk), region_id=region)
        guests = make.cart(region_id=region)
        as_ann, as_ben = (
            Caller(x_publishable_api_key=token, Authorization=f"Bearer {token_of(each)}") for each in (ann, ben)
        )
        assert names(store, hers) == names(as_ann, hers) == names(as_ben, guests) == ["shown"]
        answer = refusal(as_ben.get(PATH, f"cart_id={hers.pk}"))
        assert answer == (404, f"Cart with id: {hers.pk} was not found")

    def test_carts_of_other_channels_and_deleted_ones_are_not_found(self, store: Caller) -> None:
        cart = make.cart()
        other = storefront(publishable_key(SalesChannelFactory()))
        assert refusal(other.get(PATH, f"cart_id={cart.pk}"))[0] == 404
        Cart.objects.update(deleted_at=now())
        for cart_id in (cart.pk, "nobody", ""):
            assert refusal(store.get(PATH, f"cart_id={cart_id}")) == (404, f"Cart with id: {cart_id} was not found")

    def test_every_cart_that_exists_is_answered(self, store: Caller) -> None:
        nowhere = make.cart(region_id=make.selling_region(countries=[]).pk)
        bought = make.cart()
        Cart.objects.filter(pk=bought.pk).update(completed_at=now())
        assert names(store, nowhere) == names(store, bought) == []
