"""Rules may name each attribute that is known of a cart, and no other."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from carts.models import Cart
from carts.pricing.cart_context import cart_context_of
from catalog.prices.price_context import find
from catalog.prices.price_rules import ListRule, Rule, list_rule_holds
from catalog.prices.price_rules import holds as price_rule_holds
from catalog.rule_attributes import OF_BUYERS, Kind, price_rule_fault
from customers.models import CustomerGroup
from fulfillment.options.available_options import available_options
from fulfillment.options.eligibility import OptionRule, all_hold
from fulfillment.options.rule_attributes import OF_CARTS, OF_OPTIONS, option_rule_fault
from fulfillment.states import OptionRuleOperator
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option

pytestmark = pytest.mark.django_db
PLACE = {"country_code": "us", "province": "us-ny", "city": "Troy", "postal_code": "12180", "address_1": "1 River St"}


@pytest.fixture
def cart(db: None) -> Cart:
    """A cart with all attributes."""
    customer = CustomerFactory(has_account=True)
    customer.groups.add(CustomerGroup.objects.create(name="Regulars"))
    region = make.selling_region(tax_rate=10)
    return make.cart(
        make.sold_variant(), actor=make.shopper(customer_id=customer.pk), region_id=region.pk, shipping_address=PLACE
    )


def known_of(cart: Cart) -> Mapping[str, Any]:
    context = cart_context_of(cart.pk)
    return available_options(context, context.totals).context.attributes


def one_of(known: Any) -> str:
    return str(known[0] if isinstance(known, tuple) else known)


class TestBuyers:
    def test_each_is_known_of_a_cart_and_no_other_is(self, cart: Cart) -> None:
        known = cart_context_of(cart.pk).price_context.attributes
        assert known.keys() == OF_BUYERS.keys()
        for name, value in known.items():
            assert price_rule_holds(Rule(name, "eq", one_of(value)), known)
            assert list_rule_holds(ListRule(name, (one_of(value),)), known)
            assert price_rule_fault(OF_BUYERS, name, "eq", one_of(value)) is None

    def test_a_context_without_a_cart_knows_no_other(self, cart: Cart) -> None:
        known = find(region_id=cart.region_id, country_code="us", province="us-ny").attributes
        assert known.keys() < OF_BUYERS.keys()


class TestCarts:
    def test_each_is_known_and_no_other_is(self, cart: Cart) -> None:
        known = known_of(cart)
        assert known.keys() == OF_CARTS.keys()
        for name, value in known.items():
            assert isinstance(value, int | Decimal) == (OF_CARTS[name] is Kind.NUMBER)
            assert price_rule_holds(Rule(name, "eq", one_of(value)), known)

    def test_numbers_of_prices_are_compared_with_numbers(self) -> None:
        assert price_rule_fault(OF_CARTS, "item_total", "gt", "10") is None
        assert price_rule_fault(OF_CARTS, "item_total", "gt", "ten") == ("value", "must be a number for item_total")
        assert price_rule_fault(OF_CARTS, "region_id", "gt", "reg_1") == (
            "operator",
            "must be eq for region_id, which is a text",
        )


class TestOptions:
    @pytest.mark.parametrize("name", OF_OPTIONS)
    @pytest.mark.parametrize("operator", OptionRuleOperator.values)
    def test_a_rule_that_is_taken_holds_of_some_value_and_fails_of_another(self, name: str, operator: str) -> None:
        values = {"true", "false"} if OF_OPTIONS[name] is Kind.FLAG else {"5", "10", "15"}
        rule = OptionRule(name, operator, "true" if OF_OPTIONS[name] is Kind.FLAG else "10")
        is_taken = option_rule_fault(name, operator, [rule.value]) is None
        read = Decimal if OF_OPTIONS[name] is Kind.NUMBER else str
        outcomes = {all_hold([rule], {name: read(value)}) for value in values}
        assert outcomes == {True, False} or not is_taken
        assert is_taken == (OF_OPTIONS[name] in (Kind.NUMBER, Kind.CODE) or operator in ("eq", "ne", "in", "nin"))

    @pytest.mark.parametrize("name", OF_OPTIONS)
    def test_each_decides_what_a_cart_is_offered(self, cart: Cart, name: str) -> None:
        value = (
            "true" if name == "enabled_in_store" else "false" if name == "is_return" else one_of(known_of(cart)[name])
        )
        right = option(rules=[(name, "eq", value)])
        wrong = option(rules=[(name, "ne", value)], of=right.service_zone)
        context = cart_context_of(cart.pk)
        options = available_options(context, context.totals)
        offered = [option.id for option in options.options if option.for_delivery]
        assert (right.pk in offered, wrong.pk in offered) == (True, False)

    @pytest.mark.parametrize(
        ("rule", "part"),
        [
            (("item_total", "gte", ["ten"]), "value"),
            (("item_total", "in", ["10", "NaN"]), "value"),
            (("shipping_address.postal_code", "lt", ["AB1"]), "value"),
            (("shipping_address.city", "gt", ["10"]), "operator"),
            (("is_return", "eq", ["yes"]), "value"),
            (("is_return", "lt", ["true"]), "operator"),
        ],
    )
    def test_what_never_holds_is_refused_at_its_part(self, rule: Any, part: str) -> None:
        fault = option_rule_fault(*rule)
        assert fault is not None
        assert fault[0] == part
