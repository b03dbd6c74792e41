"""What a newcomer gets from the demo."""

import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import Client

from catalog.models import PriceList, ProductCategory
from commerce.operations.management.commands.demo import STAFF_EMAIL
from commerce.shop.models import Region
from fulfillment.models import ServiceZone, ShippingOption
from giftcards.models import GiftCard
from tests.operations.shop_file_runs import everything

pytestmark = pytest.mark.django_db


def demo() -> str:
    told = StringIO()
    call_command("demo", "--no-serve", stdout=told)
    return told.getvalue()


def field(told: str, name: str) -> str:
    match = re.search(rf"{name} +(.+)", told)
    assert match
    return match[1]


def test_the_printed_key_and_login_work(client: Client) -> None:
    told = demo()
    answer = client.get(
        "/store/product-categories?limit=0", headers={"x-publishable-api-key": field(told, "Storefront key")}
    )
    hidden = {"winter-boxes", "staff-samples"}
    assert answer.json()["count"] == ProductCategory.objects.exclude(handle__in=hidden).count() == 24
    assert authenticate(username=STAFF_EMAIL, password=field(told, "Password")) is not None


def test_every_product_can_be_browsed_and_priced_in_both_regions(client: Client) -> None:
    key = field(demo(), "Storefront key")
    query = "fields=handle,status,*images,*variants.options,+variants.inventory_quantity,+variants.calculated_price"
    for region in Region.objects.order_by("name"):
        answer = client.get(
            f"/store/products?limit=50&region_id={region.pk}&{query}", headers={"x-publishable-api-key": key}
        )
        assert answer.status_code == 200, answer.content
        products = answer.json()["products"]
        assert len(products) == 17
        for product in products:
            assert product["images"]
            assert product["variants"]
            for variant in product["variants"]:
                assert variant["options"]
                assert variant["calculated_price"]["currency_code"] == region.currency_id


def test_tea_is_on_sale_and_parcels_go_to_both_regions() -> None:
    demo()
    assert PriceList.objects.get().prices.count() == 6
    assert set(ServiceZone.objects.values_list("name", flat=True)) == {"United Kingdom", "Europe", "The harbour"}
    assert ShippingOption.objects.filter(price_set__prices__amount=0).count() == 3


def test_the_printed_gift_card_can_be_redeemed_as_printed(client: Client) -> None:
    told = demo()
    key, (email, password) = field(told, "Storefront key"), field(told, "Customer login").split(", ")
    login = client.post(
        "/auth/customer/emailpass", {"email": email, "password": password}, content_type="application/json"
    )
    headers = {"x-publishable-api-key": key, "authorization": f"Bearer {login.json()['token']}"}
    redeemed = client.post(
        f"/store/gift-cards/{field(told, 'Gift card')}/redeem", content_type="application/json", headers=headers
    )
    assert redeemed.status_code == 200, redeemed.content
    answer = client.get("/store/store-credit-accounts?fields=currency_code,balance", headers=headers)
    (account,) = answer.json()["store_credit_accounts"]
    assert (account["currency_code"], account["balance"]) == ("gbp", 27.5)  # 2.50 of them are from before


def test_the_demos_gift_cards() -> None:
    demo()
    assert sorted(GiftCard.objects.values_list("status", "value", "currency_id")) == [
        ("pending", 25, "gbp"),
        ("pending", 40, "eur"),
        ("redeemed", 50, "gbp"),
    ]


def test_a_second_demo_changes_nothing() -> None:
    first = demo()
    before = everything()
    second = demo()
    assert everything() == before
    assert field(second, "Storefront key") == field(first, "Storefront key")
    assert field(second, "Password").startswith("as before")
    assert authenticate(username=STAFF_EMAIL, password=field(first, "Password")) is not None


def test_a_second_demo_keeps_what_was_tried_out() -> None:
    demo()
    ProductCategory.objects.filter(handle="tea").update(description="Mine")
    demo()
    assert ProductCategory.objects.get(handle="tea").description == "Mine"


def test_production_refuses_it(settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="for development"):
        demo()
    assert not ProductCategory.objects.exists()
