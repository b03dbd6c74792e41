"""The form of promotions: four kinds, with the rules of each, as staff fill it in."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from carts.admin.promotions.rule_fields import RULE_FIELDS
from carts.models import Promotion, PromotionRule
from carts.promotions.promotion_editing import VERBS
from kit.domain.actor import SYSTEM
from shop.models import Country, Currency
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory, CustomerGroupFactory
from tests.factories.products import ProductCollectionFactory, ProductFactory, ProductTagFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import errors, filled_in, sent, submit
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/carts/promotion/"
SHARE = {"code": "SAVE", "type": "percentage", "value": "10", "status": "active", "priority": "0"}


@pytest.fixture
def client() -> Client:
    return superuser()


def new(offer: str, /, **given: Any) -> dict[str, Any]:
    """What a browser sends of the form of a new promotion of that kind, with these values."""
    operators = {
        f"{name}_1": "in" for name, (_, declared) in RULE_FIELDS.items() if declared.field_type == "multiselect"
    }
    together = dict.fromkeys(("combines_with_product", "combines_with_order", "combines_with_shipping"), "on")
    return {"offer": offer, **SHARE, **operators, **together, **given}


def add(client: Client, offer: str, /, **given: Any) -> Promotion:
    submit(client, f"{LIST}add/", new(offer, **given))
    return Promotion.objects.latest("id")


def refused(client: Client, offer: str, /, **given: Any) -> dict[str, list[str]]:
    """The errors of a promotion that is not added."""
    found = errors(client.post(f"{LIST}add/", new(offer, **given)))
    assert not Promotion.objects.filter(code="SAVE").exists()
    return found


def page_of(promotion: Promotion) -> str:
    return reverse("admin:carts_promotion_change", args=[promotion.pk])


def change(client: Client, promotion: Promotion, /, **given: Any) -> None:
    submit(client, page_of(promotion), sent(client, page_of(promotion), **given))
    promotion.refresh_from_db()


def rules() -> list[tuple[str, str, str, list[str]]]:
    rows = PromotionRule.objects.not_deleted().order_by("kind", "attribute")
    return list(rows.values_list("kind", "attribute", "operator", "values"))


def columns(promotion: Promotion, *names: str) -> tuple[Any, ...]:
    return tuple(getattr(promotion, name) for name in ("kind", "target_type", "allocation", *names))


def says(client: Client) -> str:
    """The sentence of the only promotion in the list."""
    found = re.search(r"field-restated.*?>\s*([^<>]+?)\s*<", client.get(LIST).content.decode(), re.DOTALL)
    assert found
    return found[1].replace("&#x27;", "'").replace("\u00a0", " ")


def test_a_discount_on_products_of_a_collection_without_a_tag(client: Client) -> None:
    spring, sale = ProductCollectionFactory(title="Spring"), ProductTagFactory(value="sale")
    made = add(
        client,
        "items",
        is_automatic="on",
        target_rules_product_collection_0=[spring.pk],
        target_rules_product_tag_0=[sale.pk],
        target_rules_product_tag_1="ne",
        max_quantity="2",
    )
    assert columns(made, "max_quantity", "is_automatic", "status") == ("standard", "items", "each", 2, True, "active")
    assert rules() == [
        ("target_rules", "items.product.collection_id", "in", [spring.pk]),
        ("target_rules", "items.product.tags.id", "ne", [sale.pk]),
    ]
    assert says(client) == (
        "10 % off items of the collection Spring, not of the tag sale, at most 2 units of each line."
    )


def test_a_discount_on_the_order_of_members_with_a_minimum(client: Client) -> None:
    RegionFactory(currency_id="gbp")
    group = CustomerGroupFactory(name="Members")
    made = add(
        client, "order", rules_customer_group_0=[group.pk], rules_item_total="50,00", rules_is_first_order="true"
    )
    assert columns(made, "currency_id") == ("standard", "order", None, "gbp")
    assert rules() == [
        ("rules", "customer.groups.id", "in", [group.pk]),
        ("rules", "is_first_order", "eq", ["true"]),
        ("rules", "item_total", "gte", ["50"]),
    ]
    assert says(client) == (
        "10 % off the order, for customers in the group Members, with at least £50.00 of goods, "
        "on a customer's first order, in GBP."
    )


def test_free_shipping_to_a_country(client: Client) -> None:
    page = client.get(f"{LIST}add/?offer=shipping")
    assert filled_in(page)["value"] == ["100"]
    made = add(client, "shipping", value="100", rules_country_0=["de"])
    assert columns(made, "value") == ("standard", "shipping_methods", "each", 100)
    assert rules() == [("rules", "shipping_address.country_code", "in", ["de"])]
    assert says(client) == f"Free shipping, shipped to {Country.objects.get(pk='de').display_name}."


def test_buy_two_get_one_of_the_same(client: Client) -> None:
    tea = ProductFactory(title="Tea")
    bought = {"buy_rules_min_quantity": "2", "apply_to_quantity": "1", "buy_rules_product_0": [tea.pk]}
    made = add(client, "buyget", value="100", **bought)
    assert columns(made, "buy_rules_min_quantity", "apply_to_quantity") == ("buyget", "items", "each", 2, 1)
    assert rules() == [
        ("buy_rules", "items.product.id", "in", [tea.pk]),
        ("target_rules", "items.product.id", "in", [tea.pk]),
    ]
    assert says(client) == "Buy 2 items of the product Tea, get 1 more free."
    Promotion.objects.update(allocation="once", max_quantity=2)
    change(client, made, value="50")
    assert columns(made, "max_quantity", "value") == ("buyget", "items", "once", 2, 50)


def test_a_promotion_is_changed_and_deleted(client: Client) -> None:
    tea, cup = ProductFactory(), ProductFactory()
    promotion = add(client, "items", target_rules_product_0=[tea.pk], usage_limit="3")
    (before,) = PromotionRule.objects.values_list("pk", flat=True)
    change(client, promotion, type="fixed", currency="usd", value="2.50", target_rules_product_0=[tea.pk, cup.pk])
    assert (promotion.type, promotion.value, promotion.usage_limit) == ("fixed", 2.5, 3)
    assert PromotionRule.objects.not_deleted().values_list("pk", "values").get() == (before, sorted([tea.pk, cup.pk]))
    change(client, promotion, offer="order", target_rules_product_0=None)
    assert columns(promotion) == ("standard", "order", None)
    assert rules() == []
    client.post(reverse("admin:carts_promotion_delete", args=[promotion.pk]), {"post": "yes"})
    assert not Promotion.objects.not_deleted().exists()


def test_saving_a_promotion_unchanged_writes_nothing(client: Client) -> None:
    made = add(
        client, "items", target_rules_product_0=[ProductFactory().pk], rules_item_quantity="3", is_automatic="on"
    )
    before = made.updated_at, list(PromotionRule.objects.values())
    change(client, made)
    assert (made.updated_at, list(PromotionRule.objects.values())) == before


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("offer", "given", "field"),
    [
        ("order", {"max_quantity": "2"}, "max_quantity"),
        ("order", {"allocation": "across"}, "allocation"),
        ("items", {"apply_to_quantity": "2"}, "apply_to_quantity"),
        ("shipping", {"buy_rules_min_quantity": "2"}, "buy_rules_min_quantity"),
        ("buyget", {"allocation": "across"}, "allocation"),
    ],
)
def test_what_a_kind_does_not_take_is_refused_at_its_field(
    client: Client, offer: str, given: dict[str, str], field: str
) -> None:
    (text,) = refused(client, offer, **given)[field]
    assert text.endswith("does not take this. Empty it, or choose another kind.")


@pytest.mark.parametrize(
    ("offer", "field"),
    [("order", "target_rules_product"), ("shipping", "target_rules_product"), ("items", "buy_rules_product")],
)
def test_a_kind_does_not_take_the_rules_of_another(client: Client, offer: str, field: str) -> None:
    assert [*refused(client, offer, **{f"{field}_0": [ProductFactory().pk]})] == [field]


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"is_tax_inclusive": "True"}, "is_tax_inclusive"),
        ({"value": "101"}, "value"),
        ({"value": "0"}, "value"),
        ({"type": "fixed"}, "currency"),
        ({"type": "fixed", "currency": "usd", "value": "0.001"}, "value"),
        ({"allocation": "once"}, "max_quantity"),
        ({"allocation": "across", "max_quantity": "2"}, "max_quantity"),
        ({"usage_limit_per_customer": "0"}, "usage_limit_per_customer"),
        ({"rules_item_total": "five"}, "rules_item_total"),
        ({"rules_item_total": "5"}, "currency"),
        ({"rules_item_quantity": "-1"}, "rules_item_quantity"),
        ({"rules_region_0": ["reg_none"]}, "rules_region"),
        ({"rules_country_0": ["zz\0"]}, "rules_country"),
        ({"offer": "none"}, "offer"),
        (
            {"starts_at_0": "2026-02-01", "starts_at_1": "00:00", "ends_at_0": "2026-01-01", "ends_at_1": "00:00"},
            "ends_at",
        ),
        ({"code": "TAKEN"}, "code"),
    ],
)
def test_what_a_promotion_cannot_be_is_reported_at_its_field(client: Client, given: dict[str, Any], field: str) -> None:
    make.PromotionFactory(code="TAKEN")
    assert [*refused(client, "items", **given)] == [field]


def test_buy_x_get_y_needs_what_is_bought(client: Client) -> None:
    found = refused(client, "buyget", buy_rules_min_quantity="2", apply_to_quantity="1")
    assert "Buy X, get Y needs rules for what has to be bought" in found[""]
    assert "needs a buy_rules_min_quantity of 1 or more" in refused(client, "buyget")["buy_rules_min_quantity"][0]


KEPT = {"kind": "rules", "attribute": "item_quantity", "operator": "lte", "values": ["9"]}


def test_the_form_keeps_what_no_field_can_say(client: Client) -> None:
    tags = [ProductTagFactory().pk for _ in range(2)]
    twice = [{"attribute": "items.product.tags.id", "operator": "in", "values": [tag]} for tag in tags]
    promotion = VERBS.create(
        actor=SYSTEM, code="SAVE", type="percentage", value=10, rules=[{**KEPT, "description": "d"}], target_rules=twice
    )
    before = list(PromotionRule.objects.order_by("pk").values())
    change(client, promotion, usage_limit="3", rules_item_total="5", currency="usd")
    added = PromotionRule.objects.get(attribute="item_total")
    assert list(PromotionRule.objects.exclude(pk=added.pk).order_by("pk").values()) == before
    assert ", with at most 9 pieces, with at least $5.00 of goods" in says(client)


def test_a_rule_about_goods_that_are_gone_is_kept(client: Client) -> None:
    """Without it, the promotion would be for all products."""
    gone = ProductCollectionFactory()
    promotion = add(client, "items", target_rules_product_collection_0=[gone.pk])
    before = rules()
    type(gone).objects.filter(pk=gone.pk).delete()
    change(client, promotion, usage_limit="3")
    assert (promotion.usage_limit, rules()) == (3, before)


def test_users_see_and_change_rules_about_rows_that_they_may_view(client: Client) -> None:
    customer, group = CustomerFactory(email="ann@example.com"), CustomerGroupFactory(name="Members")
    promotion = add(client, "order", rules_customer_0=[customer.pk], rules_customer_group_0=[group.pk])
    before = rules()
    limited = visitor("carts.view_promotion", "carts.change_promotion")
    page = limited.get(page_of(promotion))
    assert page.context["adminform"].form["rules_customer"].value() == "Not shown"
    assert "ann@example.com" not in page.content.decode()
    assert "Members" not in page.content.decode()
    submit(limited, page_of(promotion), sent(limited, page_of(promotion), value="20"))
    assert (Promotion.objects.get().value, rules()) == (20, before)


def test_users_who_may_only_view_it_read_the_offer(client: Client) -> None:
    promotion = add(client, "order", rules_item_quantity="3")
    page = visitor("carts.view_promotion").get(page_of(promotion))
    assert page.status_code == 200
    assert "10 % off the order, with at least 3 pieces." in page.content.decode()


def test_the_history_says_what_is_offered_and_names_no_customer(client: Client) -> None:
    customer = CustomerFactory(email="ann@example.com")
    promotion = add(client, "order", rules_customer_0=[customer.pk])
    change(client, promotion, value="20")
    history = client.get(reverse("admin:carts_promotion_history", args=[promotion.pk])).content.decode()
    assert "Added offer “10 % off the order, for 1 chosen customer.”." in history
    assert "for offer “20 % off the order, for 1 chosen customer.”." in history
    assert "ann@example.com" not in history


def test_the_currencies_of_the_shop_come_first(client: Client) -> None:
    RegionFactory(currency_id="jpy")
    field = client.get(f"{LIST}add/").context["adminform"].form.fields["currency"]
    _, (own, sold), (_, others) = field.choices
    assert (own, [code for code, _ in sold]) == ("Currencies of the shop", ["jpy"])
    assert "usd" in dict(others)


def test_an_amount_is_in_the_shops_currency_unless_another_is_chosen(client: Client) -> None:
    assert refused(client, "items", type="fixed") == {"currency": ["Choose the currency of the amount."]}
    RegionFactory(currency_id="gbp")
    assert add(client, "items", type="fixed").currency_id == "gbp"
    assert add(client, "items", code="OTHER", type="fixed", currency="usd").currency_id == "usd"
    assert add(client, "items", code="SHARE").currency_id is None


def test_an_amount_says_whether_it_includes_tax_or_its_currency_does(client: Client) -> None:
    Currency.objects.filter(pk="gbp").update(is_tax_inclusive=True)
    fixed = {"type": "fixed", "currency": "gbp", "value": "5"}
    for code, said, is_taxed in (("A", "", True), ("B", "False", False), ("C", "True", True)):
        assert add(client, "items", code=code, is_tax_inclusive=said, **fixed).is_tax_inclusive is is_taxed
    promotion = Promotion.objects.get(code="C")
    change(client, promotion, is_tax_inclusive="False")
    assert promotion.is_tax_inclusive is False
    change(client, promotion, is_tax_inclusive="")
    assert promotion.is_tax_inclusive is True


def test_a_percentage_that_becomes_an_amount_is_as_its_currency_states_prices(client: Client) -> None:
    Currency.objects.filter(pk="gbp").update(is_tax_inclusive=True)
    promotion = make.PromotionFactory(code="TENTH")
    assert sent(client, page_of(promotion))["is_tax_inclusive"] == [""]
    change(client, promotion, type="fixed", currency="gbp", value="5")
    assert promotion.is_tax_inclusive is True


def test_the_form_names_where_currency_and_region_state_prices_differently(client: Client) -> None:
    RegionFactory(name="Germany", currency_id="eur", is_tax_inclusive=True)
    RegionFactory(name="Britain", currency_id="usd", is_tax_inclusive=False)
    content = client.get(f"{LIST}add/").content.decode()
    assert "Only for a fixed amount. eur states prices without tax, but Germany with it." in content
    assert "usd states prices" not in content


def test_pages_cost_the_same_statements_for_one_promotion_and_for_many(client: Client) -> None:
    counts = []
    for number in (1, 9):
        for index in range(number):
            products = [ProductFactory().pk for _ in range(number)]
            add(client, "items", code=f"S{number}{index}", target_rules_product_0=products)
        with CaptureQueriesContext(connection) as of_list:
            client.get(LIST)
        with CaptureQueriesContext(connection) as of_form:
            client.get(page_of(Promotion.objects.latest("id")))
        counts.append((len(of_list), len(of_form)))
    assert counts[0] == counts[1]
