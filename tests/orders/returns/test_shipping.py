"""The shipping of returns: its price, and what it deducts from the refund."""

from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from fulfillment.models import ShippingOption
from giftcards.verification.verification import discrepancies
from kit.errors import DomainError
from orders.common.summary import pending_difference_of
from orders.fulfillments.shipping_option import option_of_order
from orders.models import Order, OrderShippingMethod, Return
from orders.refunds import creation as refunds
from orders.returns import cancellation, creation, preparation, shipping_choice
from orders.returns.creation import ReturnDetails
from orders.returns.errors import OptionNotForReturn, ReturnShippingWithoutPrice
from orders.returns.shipping import ReturnShipping
from shop.models import Currency
from tests.contract.callers import Caller, importer, invalid, refusal
from tests.factories.apikeys import secret_key
from tests.factories.carts import PromotionFactory, selling_region, sold_variant
from tests.factories.fulfillment import option, zone
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask, data
from tests.orders.refunds.shop import STAFF as REFUNDER
from tests.orders.returns.shop import STAFF, delivered, lines, receive, request

pytestmark = pytest.mark.django_db

BACK = [("is_return", "eq", "true")]
NAMED = ", given by field 'return_shipping.option_id'"


@pytest.fixture
def three(db: None) -> Order:
    """3 x 10 net, 20 % tax, discount 3, shipping 5, all captured: 38.4."""
    code = PromotionFactory().code
    region = selling_region(tax_rate=20)
    return delivered((sold_variant(10), 3), region_id=region.pk, promo_codes=[code])


@pytest.fixture
def by_post(db: None) -> ShippingOption:
    """At 5 net."""
    return option(5, name="By post", rules=BACK)


@pytest.fixture
def hidden(db: None) -> ShippingOption:
    """At 5 net, for staff only."""
    return option(5, name="Collected by us", rules=[*BACK, ("enabled_in_store", "eq", "false")])


def shipped_back(made: Order, way: ShippingOption, *units: int, **given: Any) -> Return:
    return request(made, *units, details=ReturnDetails(shipping=ReturnShipping(way.pk, **given)))


def sums(made: Order) -> tuple[Any, ...]:
    """Of the order: total, shipping before tax, tax, and what is owed."""
    made.refresh_from_db()
    assert list(discrepancies()) == []
    found = (made.total, made.shipping_subtotal, made.tax_total, pending_difference_of(made))
    return tuple(float(each) for each in found)


class TestTotals:
    def test_it_raises_the_total_and_counts_once_the_return_is_received(
        self, three: Order, by_post: ShippingOption
    ) -> None:
        returned = shipped_back(three, by_post, 2)
        assert sums(three) == (44.4, 10, 7.4, 0)
        receive(returned, 1)
        assert sums(three) == (33.6, 10, 5.6, -4.8)
        receive(returned, 1)
        assert sums(three) == (22.8, 10, 3.8, -15.6)

    def test_counted_when_requested(self, three: Order, by_post: ShippingOption, settings: Any) -> None:
        settings.RETURN_COUNTS = "requested"
        returned = shipped_back(three, by_post, 2)
        assert sums(three) == (44.4, 10, 7.4, -15.6)
        receive(returned, 1)
        assert sums(three) == (33.6, 10, 5.6, -15.6)
        other = shipped_back(three, by_post, 1)
        assert sums(three) == (39.6, 15, 6.6, -20.4)
        cancellation.cancel(actor=STAFF, return_id=other.pk)
        assert sums(three) == (33.6, 10, 5.6, -15.6)

    def test_it_is_canceled_with_the_return(self, three: Order, by_post: ShippingOption) -> None:
        before = sums(three)
        cancellation.cancel(actor=STAFF, return_id=shipped_back(three, by_post, 2).pk)
        assert sums(three) == before
        assert three.shipping_methods.not_deleted().count() == 1

    def test_it_is_discarded_with_an_open_return(self, three: Order, by_post: ShippingOption) -> None:
        begun = creation.begin(actor=STAFF, order_id=three.pk)
        shipping_choice.choose(actor=STAFF, return_id=begun, shipping=ReturnShipping(by_post.pk))
        preparation.discard(actor=STAFF, return_id=begun)
        assert not OrderShippingMethod.objects.not_deleted().filter(of_return=begun).exists()

    def test_what_was_refunded_ahead_is_owed_less_the_shipping(self, three: Order, by_post: ShippingOption) -> None:
        returned = shipped_back(three, by_post, 2)
        refunds.create(actor=REFUNDER, order_id=three.pk, amount=Decimal("21.6"), return_id=returned.pk)
        three.refresh_from_db()
        assert three.allowance_total == Decimal("21.6")
        receive(returned, 2)
        assert sums(three)[-1] == 0
        assert three.allowance_total == 6

    def test_ahead_when_requested(self, three: Order, by_post: ShippingOption, settings: Any) -> None:
        settings.RETURN_COUNTS = "requested"
        returned = shipped_back(three, by_post, 2)
        refunds.create(actor=REFUNDER, order_id=three.pk, amount=Decimal("21.6"), return_id=returned.pk)
        receive(returned, 2)
        assert sums(three)[-1] == 0
        assert three.allowance_total == 6

    def test_0014_adds_up_what_is_requested(self, three: Order, monkeypatch: pytest.MonkeyPatch) -> None:
        other = delivered((sold_variant(10), 1), (sold_variant(20), 1))
        request(three, 2)
        request(other, 1, 1)
        Order.objects.update(requested_return_total=0)
        migration = import_module("orders.migrations.0014_requested_returns")
        monkeypatch.setattr(migration, "BATCH", 1)
        migration.add_up_requested_returns(apps, connection.schema_editor())
        found = {order.pk: order.requested_return_total for order in Order.objects.all()}
        assert found == {three.pk: Decimal("21.6"), other.pk: 30}

    def test_later_fulfillments_do_not_use_the_option(self, three: Order, by_post: ShippingOption) -> None:
        way = three.shipping_methods.get().shipping_option_id
        shipped_back(three, by_post, 1)
        ShippingOption.objects.filter(pk=way).update(deleted_at="2026-01-01T00:00Z")
        assert option_of_order(three.pk, []) is None


class TestPrice:
    def test_one_set_by_staff_and_a_price_with_tax(self, by_post: ShippingOption) -> None:
        Currency.objects.filter(pk="usd").update(is_tax_inclusive=True)
        region = selling_region(tax_rate=20)
        made = delivered((sold_variant(10), 3), region_id=region.pk)
        shipped_back(made, by_post, 1)
        shipped_back(made, by_post, 1, amount=Decimal("1.2"))
        shipped_back(made, by_post, 1, amount=Decimal(0))
        methods = OrderShippingMethod.objects.exclude(of_return=None).order_by("of_return__display_id")
        assert [(each.total, each.tax_total, each.is_custom_amount) for each in methods] == [
            (5, Decimal("0.83"), False),
            (Decimal("1.2"), Decimal("0.2"), True),
            (0, 0, True),
        ]

    @pytest.mark.parametrize(
        ("way", "error"),
        [
            ({"rules": [("is_return", "eq", "false")]}, OptionNotForReturn),
            ({"rules": BACK, "of": "ca"}, OptionNotForReturn),
            ({"rules": BACK, "amount": None}, ReturnShippingWithoutPrice),
            ({"rules": BACK, "currency_code": "eur"}, ReturnShippingWithoutPrice),
            ({"rules": BACK, "price_type": "calculated"}, ReturnShippingWithoutPrice),
        ],
    )
    def test_options_that_cannot_be_chosen(self, three: Order, way: dict[str, Any], error: type[DomainError]) -> None:
        if "of" in way:
            way = {**way, "of": zone(way["of"])}
        with pytest.raises(error):
            shipped_back(three, option(**way), 1)

    def test_staff_choose_an_option_that_the_store_hides(self, three: Order, hidden: ShippingOption) -> None:
        shipped_back(three, hidden, 1)
        assert sums(three) == (44.4, 10, 7.4, 0)

    def test_staff_price_what_has_no_price(self, three: Order) -> None:
        shipped_back(three, option(None, rules=BACK), 1, amount=Decimal(3))
        assert sums(three) == (42, 8, 7, 0)

    def test_what_has_no_price_is_stated_as_prices_of_the_currency_are(self) -> None:
        Currency.objects.filter(pk="usd").update(is_tax_inclusive=True)
        made = delivered((sold_variant(10), 1), region_id=selling_region(tax_rate=19).pk)
        returned = shipped_back(made, option(None, rules=BACK), 1, amount=Decimal("4.9"))
        method = OrderShippingMethod.objects.get(of_return=returned)
        assert (method.total, method.tax_total) == (Decimal("4.9"), Decimal("0.78"))


class TestStore:
    def test_a_guest_chooses_an_option(self, guest: Caller, by_post: ShippingOption) -> None:
        made = delivered()
        items = [{"id": lines(made)[0].pk, "quantity": 2}]
        body: dict[str, Any] = {"order_id": made.pk, "items": items, "return_shipping": {"option_id": by_post.pk}}
        fields = "fields=id,shipping_methods.name,shipping_methods.total,shipping_methods.detail.return_id"
        shown = guest.post("/store/returns", body, query=fields).json()["return"]
        [method] = shown["shipping_methods"]
        assert (method["name"], method["total"], method["detail"]["return_id"]) == ("By post", 5, shown["id"])
        order = guest.get(f"/store/orders/{made.pk}").json()["order"]
        assert order["total"] == 60
        assert [each["detail"]["return_id"] for each in order["shipping_methods"]] == [None, shown["id"]]

    def test_an_option_that_the_store_hides_is_refused(self, guest: Caller, hidden: ShippingOption) -> None:
        made = delivered()
        body = {"order_id": made.pk, "items": [{"id": lines(made)[0].pk, "quantity": 1}]}
        refused = guest.post("/store/returns", {**body, "return_shipping": {"option_id": hidden.pk}})
        message = f"Shipping option with id: {hidden.pk} does not serve returns of this order{NAMED}"
        assert refusal(refused) == (400, message)
        assert not Return.objects.exists()

    @pytest.mark.parametrize(
        ("wanted", "message"),
        [
            ({"option_id": "so_none"}, f"Shipping option with id: so_none does not serve returns of this order{NAMED}"),
            ({"option_id": "\0"}, None),
            ({}, invalid("Field 'return_shipping, option_id' is required")[1]),
            ({"option_id": "so_none", "price": 0}, invalid("Unrecognized fields: 'return_shipping, price'")[1]),
            ({"option_id": "so_none", "custom_amount": 0}, None),
            ([], None),
        ],
    )
    def test_refused(self, guest: Caller, wanted: Any, message: str | None) -> None:
        made = delivered()
        items = [{"id": lines(made)[0].pk, "quantity": 2}]
        refused = guest.post("/store/returns", {"order_id": made.pk, "items": items, "return_shipping": wanted})
        assert refusal(refused)[0] == 400
        assert message is None or refusal(refused)[1] == message
        assert not Return.objects.exists()


class TestAdmin:
    def test_as_the_sdk_calls_them(self, three: Order, by_post: ShippingOption) -> None:
        """addReturnShipping, updateReturnShipping, deleteReturnShipping, confirmRequest."""
        staff = importer(secret_key(UserFactory(is_superuser=True)))

        def call(path: str, sent: Any = None, method: str = "POST") -> Any:
            response = staff.send(method, f"/admin/returns{path}", sent or {}, query="fields=*items,*shipping_methods")
            assert response.status_code == 200, response.content
            return response.json()["return"]

        path = f"/{call('', {'order_id': three.pk})['id']}"
        call(f"{path}/request-items", {"items": [{"id": lines(three)[0].pk, "quantity": 1}]})
        call(f"{path}/shipping-method", {"shipping_option_id": by_post.pk, "custom_amount": 9})
        chosen = {
            "shipping_option_id": by_post.pk,
            "description": "Box",
            "internal_note": "Fragile",
            "metadata": {"a": 1},
        }
        [method] = call(f"{path}/shipping-method", chosen)["shipping_methods"]
        assert (method["amount"], method["total"], method["order_id"], method["description"]) == (5, 6, None, "Box")
        own = f"{path}/shipping-method/{method['id']}"
        [changed] = call(own, {"custom_amount": 2, "metadata": {"b": 2}})["shipping_methods"]
        assert (changed["id"], changed["total"], changed["metadata"]) == (method["id"], 2.4, {"a": 1, "b": 2})
        assert sums(three) == (38.4, 5, 6.4, 0)
        [back] = call(own, {"custom_amount": None})["shipping_methods"]
        assert (back["total"], back["is_custom_amount"]) == (6, False)
        assert call(own, method="DELETE")["shipping_methods"] == []
        gone = staff.post(f"/admin/returns{own}", {"custom_amount": 2})
        assert refusal(gone) == (404, f"Shipping method with id: {method['id']} was not found")
        call(f"{path}/shipping-method", chosen)
        [joined] = call(f"{path}/request")["shipping_methods"]
        assert joined["order_id"] == three.pk
        assert sums(three) == (44.4, 10, 7.4, 0)
        refused = staff.post(f"/admin/returns{path}/shipping-method", chosen)
        assert refusal(refused) == (400, "The return is requested: only an open return can be changed")
        assert Return.objects.get().internal_note == "Fragile"

    @pytest.mark.parametrize(
        ("amount", "message"),
        [
            (-1, "Value for field 'custom_amount' too small: it must be at least 0"),
            (0.001, "Value for field 'custom_amount' has more than 2 decimals of usd"),
            (10**11, "The return's shipping would raise the order's total above 100000000000"),
            (10**12, "Value for field 'custom_amount' is out of bounds, at most 100000000000 is accepted"),
        ],
    )
    def test_amounts(self, three: Order, by_post: ShippingOption, amount: float, message: str) -> None:
        staff = importer(secret_key(UserFactory(is_superuser=True)))
        begun = staff.post("/admin/returns", {"order_id": three.pk}).json()["return"]["id"]
        body = {"shipping_option_id": by_post.pk, "custom_amount": amount}
        assert refusal(staff.post(f"/admin/returns/{begun}/shipping-method", body)) == (400, message)

    def test_in_graphql(self, three: Order, by_post: ShippingOption) -> None:
        staff = importer(secret_key(UserFactory(is_superuser=True)))
        create = """mutation ($input: RequestedReturnInput!) { createReturn(input: $input) {
            return { shippingMethods { name total } } } }"""
        items = [{"id": lines(three)[0].pk, "quantity": 1}]
        way = {"optionId": by_post.pk, "customAmount": 1}
        given = {"input": {"orderId": three.pk, "items": items, "returnShipping": way}}
        shown = data(ask(staff, create, given))["createReturn"]["return"]
        assert shown == {"shippingMethods": [{"name": "By post", "total": 1.2}]}

    def test_two_returns_do_not_raise_the_total_above_the_largest_amount(
        self, three: Order, by_post: ShippingOption
    ) -> None:
        staff = importer(secret_key(UserFactory(is_superuser=True)))
        begun = [staff.post("/admin/returns", {"order_id": three.pk}).json()["return"]["id"] for _ in range(2)]
        for each in begun:
            path, line = f"/admin/returns/{each}", lines(three)[0].pk
            assert staff.post(f"{path}/request-items", {"items": [{"id": line, "quantity": 1}]}).status_code == 200
            chosen = {"shipping_option_id": by_post.pk, "custom_amount": 6 * 10**10}
            assert staff.post(f"{path}/shipping-method", chosen).status_code == 200
        answers = [staff.post(f"/admin/returns/{each}/request", {}) for each in begun]
        assert answers[0].status_code == 200
        assert refusal(answers[1]) == (400, "The return's shipping would raise the order's total above 100000000000")
        assert staff.post(f"/admin/returns/{begun[0]}/cancel", {}).status_code == 200
