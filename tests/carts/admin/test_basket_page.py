"""What a test basket would pay."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from carts.models import Cart, LineItem
from carts.promotions.promotion_editing import VERBS
from kit.domain.actor import SYSTEM
from shop.models import Currency
from tests.factories import carts as make
from tests.factories.customers import CustomerGroupFactory
from tests.factories.products import VariantFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


PLAIN = {"type": "percentage", "value": 10, "target_type": "order", "allocation": None}


def tried(client: Client, terms: dict[str, Any], price: str, quantity: int, **given: Any) -> Any:
    """The page about a basket of so many units, with tax of 19 percent in the price."""
    made = VERBS.create(actor=SYSTEM, code="SAVE", **{**PLAIN, **terms})
    Currency.objects.filter(pk="usd").update(is_tax_inclusive=True)
    RegionFactory(countries=["us"], tax_rate=19)
    variant = make.sold_variant(price)
    page = reverse("admin:carts_promotion_try_basket", args=[made.pk])
    basket = {"country": "us", "variant_1": variant.pk, "quantity_1": quantity}
    return client.get(page, {**basket, **given})


def amounts(answer: Any) -> list[tuple[str, ...]]:
    """Quantity, price, discount and what is paid, by row."""
    return [row[1:] for row in answer.context["table"].cells]


FREE = {"target_type": "shipping_methods", "allocation": "each", "value": 100, "currency_id": "usd"}
OVER_50 = [{"attribute": "item_total", "operator": "gte", "values": ["50"]}]


def test_a_basket_is_computed_as_a_cart_is_and_not_stored() -> None:
    """Case 22 of tests/carts/promotions/cases.md."""
    terms = {"target_type": "items", "allocation": "each", "value": 50, "max_quantity": 2}
    answer = tried(superuser(), terms, "9.99", 5)
    assert amounts(answer) == [("5", "$49.95", "$9.99", "$39.96"), ("", "$49.95", "$9.99", "$39.96")]
    assert "50 % off items, at most 2 units of each line." in answer.content.decode()
    assert not Cart.objects.exists()
    assert not LineItem.objects.exists()


def test_shipping_counts_if_it_costs_something() -> None:
    """Case 47."""
    answer = tried(superuser(), {**FREE, "rules": OVER_50}, "25.00", 2, shipping="4.90")
    assert amounts(answer)[1:] == [("1", "$4.90", "$4.90", "$0.00"), ("", "$54.90", "$4.90", "$50.00")]


def test_the_page_says_why_a_promotion_takes_nothing() -> None:
    answer = tried(superuser(), {"currency_id": "usd", "rules": OVER_50}, "47.00", 1)
    assert answer.context["note"] == "It takes nothing off this basket: minimum not reached (3 missing)."


def test_the_customer_can_be_in_a_group() -> None:
    """Cases 52 and 53."""
    group = CustomerGroupFactory()
    members = [{"attribute": "customer.groups.id", "operator": "in", "values": [group.pk]}]
    answer = tried(superuser(), {"value": 15, "rules": members}, "35.00", 1, group=group.pk)
    assert amounts(answer)[-1] == ("", "$35.00", "$5.25", "$29.75")
    page = answer.request["PATH_INFO"]
    others = {name: answer.context["form"].data[name] for name in ("country", "variant_1")}
    without = superuser().get(page, others)
    assert amounts(without)[-1] == ("", "$35.00", "$0.00", "$35.00")
    assert without.context["note"] == "It takes nothing off this basket: not for customer."


def test_a_promotion_in_another_currency_does_not_apply() -> None:
    answer = tried(superuser(), {"currency_id": "eur"}, "10.00", 1)
    assert amounts(answer)[-1] == ("", "$10.00", "$0.00", "$10.00")
    assert answer.context["note"] == "It applies in EUR alone, and this basket is in USD."


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"country": "zz"}, "country"),
        ({"country": "de"}, "country"),
        ({"variant_1": "\0"}, "variant_1"),
        ({"quantity_1": "0"}, "quantity_1"),
        ({"quantity_1": "1001"}, "quantity_1"),
        ({"shipping": "-1"}, "shipping"),
    ],
)
def test_what_no_basket_can_be_is_reported(given: dict[str, str], field: str) -> None:
    answer = tried(superuser(), {}, "10.00", 1, **given)
    assert answer.context["table"] is None
    assert [*answer.context["form"].errors] == [field]


def test_a_variant_without_a_price_is_named() -> None:
    answer = tried(superuser(), {}, "10.00", 1, variant_1=VariantFactory(title="Large").pk)
    assert "Large" in answer.context["form"].non_field_errors()[0]


def test_it_takes_the_permission_to_view_variants_and_offers_what_the_user_may_view() -> None:
    terms = {"value": 20}
    answer = tried(visitor("carts.view_promotion", "catalog.view_productvariant"), terms, "10.00", 1)
    assert amounts(answer)[-1] == ("", "$10.00", "$2.00", "$8.00")
    assert not {"group", "option"} & {*answer.context["form"].fields}
    page = answer.request["PATH_INFO"]
    assert visitor("carts.view_promotion").get(page).status_code == 403
