"""GET /store/shipping-options: which ways of shipping a cart is shown, what of them, and what is hidden."""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from fulfillment.models import ServiceZone, ShippingOption
from kit.values.timestamps import now
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import price
from tests.factories.products import ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.fulfillment.api.listing import NEW_YORK, PATH, names, only

pytestmark = pytest.mark.django_db


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

    def test_a_zone_replaces_the_wider_ones_of_its_set(self, store: Caller) -> None:
        wide = zone("us", {"type": "province", "country_id": "us", "province_code": "us-ny"})
        streets = {"type": "zip", "country_id": "us", "postal_expression": {"prefix": "10"}}
        narrow = zone(streets, replaces_wider=True)
        ServiceZone.objects.filter(pk=narrow.pk).update(fulfillment_set=wide.fulfillment_set)
        for name, of in (("wide", wide), ("narrow", narrow), ("pickup", zone("us"))):
            option(5, name=name, of=of)
        assert names(store, make.cart(shipping_address=NEW_YORK)) == ["narrow", "pickup"]
        assert names(store, make.cart(shipping_address={**NEW_YORK, "postal_code": "20000"})) == ["pickup", "wide"]
        assert names(store, make.cart()) == ["narrow", "pickup", "wide"]

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
        assert names(store, make.cart(NewLineItem(mug.pk, 2), region_id=region.pk)) == ["here", "once ruled out"]
        assert names(store, make.cart(NewLineItem(mug.pk, 3), region_id=region.pk)) == [
            "dear",
            "here",
            "once ruled out",
        ]

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


class TestHidden:
    ADDRESS = {"company": "Us", "address_1": "1 Dock", "city": "New York", "country_code": "us", "metadata": {"a": 1}}

    def at(self, type: str) -> ShippingOption:
        from shop.models import StockLocationAddress  # noqa: PLC0415

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
