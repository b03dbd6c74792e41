"""What the form of a draft refuses: at its field, with all that was entered, and nothing is stored."""

from itertools import cycle
from typing import Any

import pytest
from django.test import Client

from carts.models import Cart
from orders.drafts import creation
from orders.models import Order
from tests.factories.carts import PromotionFactory, sold_variant
from tests.factories.fulfillment import option
from tests.kit.admin.forms import changed
from tests.orders.admin.drafts.forms import ADD, CONTACT, address_of, filled, messages_of, refused, region_at_20, saved
from tests.orders.admin.forms.desk import desk
from tests.orders.changes.shop import goods
from tests.orders.drafts.shop import STAFF

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def client() -> Client:
    region_at_20()
    return desk()[0]


def test_each_wrong_value_is_named_at_its_field(client: Client) -> None:
    mug = goods("mug", 10)
    unpriced = sold_variant(10, currency_code="eur")
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"email": "ann"}, "email", "email"),
        ({"customer": "cus_1"}, "customer", "valid choice"),
        ({"region": "reg_1"}, "region", "valid choice"),
        ({"region": ""}, "region", "required"),
        ({"sales_channel": "sc_1"}, "sales_channel", "valid choice"),
        ({"shipping_country_code": "xx"}, "shipping_country_code", "valid choice"),
        ({**CONTACT, "shipping_province": "us-zz"}, "shipping_province", "us-zz"),
        ({"variant_1": "variant_1"}, "variant_1", "valid choice"),
        ({"variant_1": unpriced.pk}, "variant_1", "No price"),
        ({"variant_1": mug.pk, "new_quantity_1": "0"}, "new_quantity_1", "At least 1."),
        ({"variant_1": mug.pk, "new_quantity_1": "-1"}, "new_quantity_1", "At least 1."),
        ({"variant_1": mug.pk, "new_quantity_1": "1.5"}, "new_quantity_1", "whole"),
        ({"variant_1": mug.pk, "new_quantity_1": "9" * 30}, "new_quantity_1", "At most"),
        ({"variant_1": mug.pk, "new_price_1": "-1"}, "new_price_1", "greater than or equal to 0"),
        ({"variant_1": mug.pk, "new_price_1": "10.0015"}, "new_price_1", ""),
        ({"variant_1": mug.pk, "new_price_1": "9" * 11 + ".99"}, "", ""),
        ({"new_price_1": "3"}, "variant_1", "Choose the item that the price is for."),
        ({"title_1": "Wrapping"}, "title_price_1", "It needs a price."),
        ({"title_price_1": "3"}, "title_1", "Enter what the price is for."),
        ({"title_1": "Wrapping", "title_price_1": "3", "title_quantity_1": "x"}, "title_quantity_1", ""),
        ({"shipping_option_id": "so_1"}, "shipping_option_id", "does not deliver"),
        ({"shipping_option_id": "", "custom_amount": "3"}, "shipping_option_id", "Choose the shipping"),
        ({"custom_amount": "x"}, "custom_amount", ""),
        ({"promo_codes": "NONE"}, "promo_codes", "The promotion code NONE is invalid"),
        ({"promo_codes": ",".join(map(str, range(11)))}, "promo_codes", ""),
    ]
    for (values, field, told), button in zip(cases, cycle(("", "_save", "_create")), strict=False):
        found = refused(client, button=button, **values)
        assert list(found) == [field], (values, found)
        assert told in " ".join(found[field]), (values, found)
    assert not Cart.objects.exists()


def test_all_that_is_wrong_is_named_at_once(client: Client) -> None:
    found = refused(
        client,
        email="ann",
        variant_1=sold_variant(10, currency_code="eur").pk,
        promo_codes="NONE",
        shipping_option_id="so_1",
    )
    assert set(found) == {"email", "variant_1", "promo_codes", "shipping_option_id"}


def test_what_an_order_lacks_is_named_before_anything_is_saved(client: Client) -> None:
    mug = {"variant_1": goods("mug", 10).pk}
    lacks = [
        ({}, "variant_1", "Add an item."),
        ({**mug}, "email", "An order needs an email address."),
        ({**mug, **CONTACT, **dict.fromkeys([*CONTACT][1:], "")}, "shipping_address_1", "enter the address"),
        ({**mug, **CONTACT, "shipping_country_code": ""}, "shipping_country_code", "choose the country"),
        ({**mug, **CONTACT, "shipping_option_id": ""}, "shipping_option_id", "choose how"),
        ({**mug, **CONTACT, "new_quantity_1": "11"}, "", "Not enough stock available for mug"),
    ]
    for values, field, told in lacks:
        found = refused(client, button="_create", **values)
        assert list(found) == [field], (values, found)
        assert told in found[field][0]
        assert refused(client, **values) == {}  # as a draft
    assert not Cart.objects.exists()


def test_an_item_of_another_channel_and_a_gift_card(client: Client) -> None:
    lamp = goods("lamp", 25)
    lamp.product.sales_channels.clear()
    assert refused(client, variant_1=lamp.pk) == {"variant_1": ["The sales channel does not sell this item."]}


def test_a_country_of_another_region(client: Client) -> None:
    draft = saved(client, **CONTACT)
    (told,) = refused(client, address_of(draft), shipping_country_code="de")["shipping_country_code"]
    assert "valid choice" in told


def test_an_option_of_another_country_is_refused_and_others_are_offered(client: Client) -> None:
    other = option(9, name="Van", rules=[("shipping_address.city", "eq", "Boston")])
    entered = filled(client, **CONTACT, variant_1=goods("mug", 10).pk, shipping_option_id=other.pk)
    answer = client.post(ADD, entered)
    assert "does not deliver" in answer.context["form"].errors["shipping_option_id"][0]
    choices = [name for _, name in answer.context["form"]["shipping_option_id"].field.widget.choices]
    assert choices == ["None", "Post, $5.00", "Not for this draft"]
    answer = client.post(ADD, changed(entered, shipping_city="Boston"))
    assert answer.context["form"].errors == {}


def test_nothing_that_is_sent_gives_a_500(client: Client) -> None:
    draft = saved(client, **CONTACT, variant_1=goods("mug", 10).pk)
    values = ("", "\0", "x" * 5000, "-1", "1e999", "NaN", "' OR 1=1")
    for address in (ADD, address_of(draft)):
        whole = filled(client, address)
        names = [name for name in whole if name != "csrfmiddlewaretoken"]
        sent = [{}, *(dict.fromkeys(names, value) for value in values)]
        sent += [{**whole, name: value} for name, value in zip(names, cycle(values), strict=False)]
        for given in sent:
            for button in ("_save", "_create") if len(given) < len(whole) else ("",):
                answer = client.post(address, {**given, **({button: "1"} if button else {})})
                assert answer.status_code == 200, given
    assert (Cart.objects.count(), Order.objects.count()) == (1, 0)


def test_stock_that_is_gone_leaves_the_draft(client: Client) -> None:
    mug = goods("mug", 10, in_stock=1)
    draft = saved(client, **CONTACT, variant_1=mug.pk, new_quantity_1="2")
    assert refused(client, address_of(draft), button="_create") == {
        "": [f"Not enough stock available for mug ({mug.title})"]
    }
    assert not Order.objects.exists()


def test_a_draft_that_was_deleted_meanwhile(client: Client) -> None:
    draft = saved(client, **CONTACT)
    values = filled(client, address_of(draft))
    creation.delete(actor=STAFF, draft_id=draft.pk)
    answer = client.post(address_of(draft), {**values, "_save": "1"})
    assert (answer.status_code, Cart.objects.count()) == (302, 0)
    assert "exist" in messages_of(answer)[-1]


def test_a_code_that_takes_nothing_off_is_told(client: Client) -> None:
    code = PromotionFactory(value=10).code
    answer = client.post(ADD, filled(client, promo_codes=code))
    assert answer.context["form"].figures.notes == [f"Code {code} takes nothing off: No matching items."]
