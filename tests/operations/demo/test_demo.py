"""What a newcomer gets from the demo."""

import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client

from catalog.models import PriceList, ProductCategory, ProductVariant
from commerce.operations.demo.demo_pictures import DIRECTORY, PICTURES
from commerce.operations.management.commands.demo import SHOP, STAFF_EMAIL
from commerce.operations.roles.roles import ROLES
from fulfillment.models import ServiceZone, ShippingOption
from giftcards.models import GiftCard
from shop.models import Region
from tests.operations.shop_file_runs import everything

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]


def demo() -> str:
    output = StringIO()
    call_command("demo", "--no-serve", stdout=output)
    return output.getvalue()


def field(output: str, name: str) -> str:
    match = re.search(rf"{name} +(.+)", output)
    assert match
    return match[1]


def test_the_printed_key_and_login_work(client: Client) -> None:
    output = demo()
    answer = client.get(
        "/store/product-categories?limit=0", headers={"x-publishable-api-key": field(output, "Storefront key")}
    )
    hidden = {"winter-boxes", "staff-samples"}
    assert answer.json()["count"] == ProductCategory.objects.exclude(handle__in=hidden).count() == 24
    assert authenticate(username=STAFF_EMAIL, password=field(output, "Password")) is not None


def test_every_product_can_be_browsed_and_priced_in_both_regions(client: Client) -> None:
    key = field(demo(), "Storefront key")
    query = "fields=handle,status,*images,*variants.options,+variants.inventory_quantity,+variants.calculated_price"
    for region in Region.objects.order_by("name"):
        answer = client.get(
            f"/store/products?limit=50&region_id={region.pk}&{query}", headers={"x-publishable-api-key": key}
        )
        assert answer.status_code == 200, answer.content
        products = answer.json()["products"]
        assert len(products) == 19
        for product in products:
            assert product["images"]
            assert product["variants"]
            for variant in product["variants"]:
                assert variant["options"]
                assert variant["calculated_price"]["currency_code"] == region.currency_id


def test_what_is_shown_is_what_is_charged(client: Client) -> None:
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}
    for region, amount in (("United Kingdom", 7.5), ("Europe", 8.9)):
        place = Region.objects.get(name=region).pk
        query = f"sku=ASSAM-100&region_id={place}&fields=calculated_price"
        (variant,) = client.get(f"/store/product-variants?{query}", headers=headers).json()["variants"]
        assert variant["calculated_price"]["calculated_amount"] == amount
        items = [{"variant_id": variant["id"], "quantity": 1}]
        answer = client.post(
            "/store/carts?fields=total,item_total",
            {"region_id": place, "items": items},
            content_type="application/json",
            headers=headers,
        )
        assert (answer.json()["cart"]["item_total"], answer.json()["cart"]["total"]) == (amount, amount)


def test_every_picture_is_there(client: Client, settings: Any) -> None:
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}
    answer = client.get("/store/products?limit=50&fields=thumbnail,*images", headers=headers)
    products = answer.json()["products"]
    addresses = {url for each in products for url in (each["thumbnail"], *(one["url"] for one in each["images"]))}
    assert len(addresses) == 35
    for address in addresses:
        assert address.startswith(f"{settings.PUBLIC_URL}/static/demo/")
        picture = client.get(address.removeprefix(settings.PUBLIC_URL))
        data = b"".join(picture)  # type: ignore[arg-type]
        assert (picture.status_code, picture["Content-Type"], data[1:4]) == (200, "image/png", b"PNG"), address
        assert len(data) < 15_000


def test_every_picture_of_the_file_is_drawn_by_the_script() -> None:
    drawn = {
        f"{handle}-{number}.png" for handle, (things, *_) in PICTURES.items() for number in range(1, len(things) + 1)
    }
    named = set(re.findall(r"/static/demo/([^\"]+)", SHOP.read_text()))
    assert named == drawn == {path.name for path in DIRECTORY.iterdir()}


def test_a_sale_promotions_a_sold_out_cup_and_categories_below_each_other_are_there_to_be_seen(client: Client) -> None:
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}
    query = "fields=sku,allow_backorder,+inventory_quantity,calculated_price"
    region = Region.objects.get(name="Europe").pk
    answer = client.get(f"/store/product-variants?limit=100&region_id={region}&{query}", headers=headers)
    variants = {each["sku"]: each for each in answer.json()["variants"]}
    price = variants["SENCHA-50"]["calculated_price"]
    assert (price["original_amount"], price["calculated_amount"]) == (10, 8)
    assert price["calculated_price"]["price_list_type"] == "sale"
    assert [sku for sku, each in variants.items() if each["inventory_quantity"] == 0] == ["CUP-FOAM"]
    items = [{"variant_id": variants[sku]["id"], "quantity": 1} for sku in ("BOX-TEA", "ASSAM-100")]
    cart = client.post(
        "/store/carts?fields=discount_total,*promotions",
        {"region_id": region, "items": items, "promo_codes": ["FIRSTPOT"]},
        content_type="application/json",
        headers=headers,
    ).json()["cart"]
    assert {each["code"] for each in cart["promotions"]} == {"BOXES", "FIRSTPOT"}
    assert cart["discount_total"] > 0
    query = "handle=tea&include_descendants_tree=true&fields=handle,category_children.handle"
    (tea,) = client.get(f"/store/product-categories?{query}", headers=headers).json()["product_categories"]
    black = next(each for each in tea["category_children"] if each["handle"] == "black-tea")
    assert "assam" in {each["handle"] for each in black["category_children"]}


def test_the_greeting_says_where_to_look_and_what_to_export() -> None:
    output = demo()
    assert field(output, "API reference") == "http://127.0.0.1:8000/docs"
    assert field(output, "GraphQL") == "http://127.0.0.1:8000/graphiql"
    assert field(output, "Emails") == "files in var/mail/, which a mail program opens"
    assert field(output, "Admin site") == "http://127.0.0.1:8000/admin/"
    key = field(output, "Storefront key")
    password = field(output, "Password")
    assert f"  export SHOP=http://127.0.0.1:8000 KEY={key}\n" in output
    assert "  export COMMERCE_ENV=development " in output
    assert f" STAFF_EMAIL={STAFF_EMAIL} STAFF_PASSWORD={password}\n" in output


def test_tea_is_on_sale_and_parcels_go_to_both_regions() -> None:
    demo()
    assert PriceList.objects.get().prices.count() == 6
    assert set(ServiceZone.objects.values_list("name", flat=True)) == {"United Kingdom", "Europe", "The harbour"}
    assert ShippingOption.objects.filter(price_set__prices__amount=0).count() == 5


@pytest.mark.parametrize(
    ("region", "country", "taxes"),
    [
        ("United Kingdom", "gb", {"ASSAM-100": 0, "BOX-TEA": 0, "BOOK-KETTLE": 0, "GRINDER": 12.33, "Second class": 0}),
        ("Europe", "de", {"ASSAM-100": 0.58, "BOX-TEA": 1.89, "BOOK-KETTLE": 1.24, "GRINDER": 13.97, "Parcel": 0}),
        ("Europe", "fr", {"ASSAM-100": 0.46, "BOX-TEA": 1.51, "BOOK-KETTLE": 0.99, "GRINDER": 14.58, "Parcel": 0}),
        ("Europe", "fi", {"ASSAM-100": 1.81, "GRINDER": 17.78, "Parcel": 0}),
        ("United Kingdom", "gb", {"ASSAM-100": 0, "Second class": 0.66}),
        ("Europe", "de", {"ASSAM-100": 0.58, "Parcel": 1.58}),
    ],
)
def test_goods_pay_the_taxes_of_their_country_and_shipping_its_standard_rate(
    client: Client, region: str, country: str, taxes: dict[str, float]
) -> None:
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}
    *skus, way = taxes
    region_id = Region.objects.get(name=region).pk
    variants = dict(ProductVariant.objects.filter(sku__in=skus).values_list("sku", "pk"))
    place = {"first_name": "Nell", "address_1": "1 Quay", "city": "Town", "postal_code": "1", "country_code": country}
    body = {"region_id": region_id, "items": [{"variant_id": variants[sku], "quantity": 1} for sku in skus]}

    def posted(path: str, given: dict[str, Any]) -> Any:
        answer = client.post(path, given, content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content
        return answer.json()["cart"]

    cart = posted("/store/carts", {**body, "shipping_address": place})
    option_id = ShippingOption.objects.get(name=way).pk
    cart = posted(
        f"/store/carts/{cart['id']}/shipping-methods?fields=*items,*shipping_methods", {"option_id": option_id}
    )
    shown = {item["variant_sku"]: item["tax_total"] for item in cart["items"]}
    assert shown | {way: cart["shipping_methods"][0]["tax_total"]} == taxes


def test_the_e_book_is_bought_without_shipping(client: Client) -> None:
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}

    def posted(path: str, body: dict[str, Any]) -> Any:
        answer = client.post(path, body, content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    variant = ProductVariant.objects.get(sku="EBOOK-CLOCK")
    place = {"first_name": "Nell", "address_1": "1 Quay", "city": "Town", "postal_code": "1", "country_code": "de"}
    items = [{"variant_id": variant.pk, "quantity": 1}]
    body = {"region_id": Region.objects.get(name="Europe").pk, "items": items, "email": "nell@example.com"}
    cart = posted("/store/carts", {**body, "billing_address": place})["cart"]
    assert (cart["total"], cart["tax_total"]) == (7, 0.46)
    collection = posted("/store/payment-collections", {"cart_id": cart["id"]})["payment_collection"]["id"]
    posted(f"/store/payment-collections/{collection}/payment-sessions", {"provider_id": "pp_system_default"})
    assert posted(f"/store/carts/{cart['id']}/complete", {})["order"]["total"] == 7


@pytest.mark.parametrize(
    ("country", "sku", "total", "tax_total"),
    [
        ("gb", "VOUCHER-25", 50, 0),
        ("de", "VOUCHER-25", 50, 0),
        ("gb", "EBOOK-CLOCK", 12, 0),
        ("de", "EBOOK-CLOCK", 14, 0.92),
    ],
)
def test_a_voucher_and_an_e_book_are_bought_by_email_as_storefronts_do(
    client: Client, country: str, sku: str, total: int, tax_total: float
) -> None:
    """Many storefronts offer to pay only once a shipping option is chosen, whatever is bought."""
    headers = {"x-publishable-api-key": field(demo(), "Storefront key")}

    def answered(path: str, body: dict[str, Any] | None = None) -> Any:
        asked = {"headers": headers, "content_type": "application/json"}
        answer = client.get(path, headers=headers) if body is None else client.post(path, body, **asked)
        assert answer.status_code == 200, answer.content
        return answer.json()

    region_id = Region.objects.get(countries__iso_2=country).pk
    query = f"sku={sku}&region_id={region_id}&fields=id"
    (variant,) = answered(f"/store/product-variants?{query}")["variants"]
    items = [{"variant_id": variant["id"], "quantity": 2}]
    place = {"first_name": "Nell", "address_1": "1 Quay", "city": "Town", "postal_code": "1", "country_code": country}
    address = {"email": "nell@example.com", "shipping_address": place, "billing_address": place}
    cart_id = answered("/store/carts", {"region_id": region_id, "items": items, **address})["cart"]["id"]
    [option] = answered(f"/store/shipping-options?cart_id={cart_id}")["shipping_options"]
    assert (option["name"], option["amount"]) == ("By e-mail", 0)
    cart = answered(f"/store/carts/{cart_id}/shipping-methods", {"option_id": option["id"]})["cart"]
    assert (cart["total"], cart["tax_total"], cart["shipping_total"]) == (total, tax_total, 0)
    [provider] = answered(f"/store/payment-providers?region_id={region_id}")["payment_providers"]
    collection = answered("/store/payment-collections", {"cart_id": cart_id})["payment_collection"]["id"]
    answered(f"/store/payment-collections/{collection}/payment-sessions", {"provider_id": provider["id"]})
    assert answered(f"/store/carts/{cart_id}/complete", {})["order"]["total"] == total


def test_the_printed_gift_card_can_be_redeemed_as_printed(client: Client) -> None:
    output = demo()
    key, (email, password) = field(output, "Storefront key"), field(output, "Customer login").split(", ")
    login = client.post(
        "/auth/customer/emailpass", {"email": email, "password": password}, content_type="application/json"
    )
    headers = {"x-publishable-api-key": key, "authorization": f"Bearer {login.json()['token']}"}
    redeemed = client.post(
        f"/store/gift-cards/{field(output, 'Gift card')}/redeem", content_type="application/json", headers=headers
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


def test_staff_can_be_invited_with_roles() -> None:
    demo()
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)


def test_a_second_demo_changes_nothing() -> None:
    first = demo()
    before = everything()
    second = demo()
    assert everything() == before
    assert field(second, "Storefront key") == field(first, "Storefront key")
    assert field(second, "Password").startswith("unchanged")
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
