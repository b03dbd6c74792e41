"""Who sees which order, by its id and in lists, and that nothing of the catalogue changes it later."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auth.account_types import actors
from auth.tokens.tokens import issue
from carts.models import Cart, Promotion
from catalog.models import Product, ProductVariant
from customers.models import Customer
from fulfillment.models import ShippingOption
from orders.models import Order
from shop.models import Region
from tests.auth.conftest import limits
from tests.contract.callers import Caller, importer, refusal, storefront
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.orders import order
from tests.factories.shop import SalesChannelFactory
from tests.factories.staff import UserFactory
from tests.orders.conftest import own

pytestmark = pytest.mark.django_db

PAYMENTS = (
    "fields=*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payment_sessions"
)


def found(caller: Caller, placed: Order, query: str = "") -> dict[str, Any] | None:
    """The order as the caller sees it, None for the 404 of an unknown id."""
    response = caller.get(f"/store/orders/{placed.pk}", query)
    if response.status_code == 404:
        assert refusal(response) == (404, f"Order with id: {placed.pk} was not found")
        return None
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store"), response.content
    one: dict[str, Any] = response.json()["order"]
    return one


def test_20_an_answer_is_the_same_byte_for_byte_after_the_catalogue_has_changed(guest: Caller) -> None:
    placed = order(captured=True)
    path = f"/store/orders/{placed.pk}"
    before, chosen = guest.get(path).content, guest.get(path, "fields=*items,*shipping_methods,*promotions").content
    Cart.objects.all().update(metadata={"changed": True}, email="changed@example.com")
    Product.objects.update(title="Changed", description="Changed", thumbnail="changed", status="draft")
    ProductVariant.objects.update(title="Changed", sku="CHANGED")
    Promotion.objects.update(code="CHANGED", value=99)
    ShippingOption.objects.update(name="Changed")
    Region.objects.update(tax_rate=50, name="Changed")
    assert guest.get(path).content == before
    ProductVariant.objects.all().delete()
    Product.objects.all().delete()
    Promotion.objects.all().delete()
    ShippingOption.objects.all().delete()
    assert guest.get(path).content == before
    assert guest.get(path, "fields=*items,*shipping_methods,*promotions").content == chosen
    live = guest.get(path, "fields=items.variant.title,items.product.title,items.product_title").json()["order"]
    assert live["items"][0] == {
        "id": placed.items.order_by("pk")[0].pk, "product_title": "Mug", "variant": None, "product": None,
    }  # fmt: skip


class TestOneOrder:
    def test_22_a_customers_order_answers_to_that_customer_alone(
        self, by_ann: Caller, by_bob: Caller, guest: Caller, ann: Customer
    ) -> None:
        placed = order(ann)
        shown = found(by_ann, placed)
        assert shown is not None
        assert (shown["id"], shown["email"]) == (placed.pk, "ann@example.com")
        for stranger in (by_bob, guest, storefront(publishable_key(SalesChannelFactory()))):
            assert found(stranger, placed) is None

    def test_22_a_guests_order_answers_to_who_knows_its_id(self, by_bob: Caller, guest: Caller) -> None:
        placed = order()
        assert found(guest, placed) == found(by_bob, placed) is not None
        assert found(storefront(publishable_key(SalesChannelFactory())), placed) is None

    def test_22_a_wrong_token_counts_as_none_and_a_staff_users_credentials_show_nothing_more(
        self, ann: Customer
    ) -> None:
        of_ann, of_guest = order(ann), order()
        key = publishable_key().token
        user = UserFactory(is_superuser=True)
        account = actors.resolve("user", user.pk, user.stamp)
        assert account is not None
        secret = importer(secret_key(user)).headers
        for credential in (
            {"Authorization": "Bearer no.such.token"},
            {"Authorization": f"Bearer {issue(account)}"},
            secret,
        ):
            caller = Caller(x_publishable_api_key=key, **credential)
            assert found(caller, of_ann) is None
            assert found(caller, of_guest) is not None

    def test_22_it_shows_nothing_of_the_providers_data_nor_of_what_staff_note(self, guest: Caller) -> None:
        shown = found(guest, order(captured=True), PAYMENTS)
        assert shown is not None
        (collection,) = shown["payment_collections"]
        (payment,), (session,) = collection["payments"], collection["payment_sessions"]
        assert (payment["data"], payment["captures"][0]["created_by"], session["context"]) == ({}, None, {})
        assert [line["reference_id"] for line in shown["credit_lines"]] == [None]

    @pytest.mark.parametrize("named", ["1", "#1", "order_01NOPE", "order%2F1", "%00"])
    def test_it_is_known_by_its_id_only(self, guest: Caller, named: str) -> None:
        order(id="order_01KNOWN")
        assert guest.get(f"/store/orders/{named}").status_code in (400, 404)

    def test_a_deleted_order_is_nowhere(self, by_ann: Caller, ann: Customer) -> None:
        placed = order(ann)
        Order.objects.filter(pk=placed.pk).update(deleted_at=placed.created_at)
        assert found(by_ann, placed) is None
        assert own(by_ann) == by_ann.get("/store/customers/me", "fields=*orders").json()["customer"]["orders"] == []


class TestTransferredOrders:
    """An order may have another customer than its cart; everything below it follows the order."""

    @pytest.fixture
    def moved(self, ann: Customer, bob: Customer) -> Order:
        placed = order(ann, captured=True)
        placed.customer = bob
        placed.save()
        return placed

    def test_the_new_customer_sees_its_payments_and_the_old_one_nothing(
        self, by_ann: Caller, by_bob: Caller, moved: Order
    ) -> None:
        shown = found(by_bob, moved, PAYMENTS)
        assert shown is not None
        (collection,) = shown["payment_collections"]
        assert [len(collection[name]) for name in ("payments", "payment_sessions")] == [1, 1]
        assert len(collection["payments"][0]["captures"]) == 1
        assert (len(shown["items"]), shown["shipping_address"]["city"]) == (2, "New York")
        assert found(by_ann, moved) is None
        assert (own(by_ann), [each["id"] for each in own(by_bob)]) == ([], [moved.pk])


class TestWrongIds:
    def test_too_many_close_the_door_to_that_caller_and_no_other(
        self, guest: Caller, by_bob: Caller, settings: Any
    ) -> None:
        placed = order()
        settings.THROTTLES = limits(account=100, client=3)
        for number in range(3):
            assert guest.get(f"/store/orders/order_{number}").status_code == 404
        refused = guest.get(f"/store/orders/{placed.pk}")
        assert (refused.status_code, "Retry-After" in refused) == (429, True)
        assert found(by_bob, placed) is not None
        assert guest.get("/store/gift-cards/GIFT-NONE").status_code == 404


class TestLists:
    def test_23_it_holds_the_customers_own_orders_of_the_keys_channels(
        self, by_ann: Caller, by_bob: Caller, guest: Caller, ann: Customer
    ) -> None:
        placed = order(ann)
        order()
        assert [each["id"] for each in own(by_ann)] == [placed.pk]
        assert own(by_bob) == []
        assert guest.get("/store/orders").content == b"Unauthorized"
        elsewhere = Caller(
            x_publishable_api_key=publishable_key(SalesChannelFactory()).token,
            Authorization=by_ann.headers["Authorization"],
        )
        assert own(elsewhere) == own(elsewhere, "$or[0][status]=pending&$or[1][status]=canceled") == []
        assert elsewhere.get("/store/customers/me", "fields=*orders").json()["customer"]["orders"] == []

    def test_23_it_is_sorted_paged_and_filtered(self, by_ann: Caller, ann: Customer) -> None:
        made = [order(ann, captured=number == 1) for number in range(3)]
        newest = [each.pk for each in reversed(made)]
        assert [each["id"] for each in own(by_ann, "order=-created_at&fields=id")] == newest
        page = by_ann.get("/store/orders", "order=-created_at&limit=1&offset=1").json()
        assert ([each["id"] for each in page["orders"]], page["count"]) == ([made[1].pk], 3)
        both = "$and[0][payment_status]=captured&$and[1][status][]=pending&$and[1][status][]=completed"
        assert [each["id"] for each in own(by_ann, both)] == [made[1].pk]
        assert by_ann.get("/store/orders").json()["limit"] == 50

    @pytest.mark.parametrize(
        "query", ["q=a", "email=ann@example.com", "status=nope", "$or[0][customer_id]=x", "total=1"]
    )
    def test_23_other_filters_are_refused(self, by_ann: Caller, ann: Customer, query: str) -> None:
        assert by_ann.get("/store/orders", query).status_code == 400

    def test_an_or_does_not_widen_it(self, by_ann: Caller, ann: Customer, bob: Customer) -> None:
        placed = order(ann)
        other = order(bob)
        query = f"$or[0][id]={other.pk}&$or[1][id]={placed.pk}"
        assert [each["id"] for each in own(by_ann, query)] == [placed.pk]


class TestOrdersOfTheCustomer:
    def test_they_are_the_newest_hundred_by_one_statement(self, ann: Customer) -> None:
        by_ann = signed_in(ann)
        oldest = order(ann)
        with CaptureQueriesContext(connection) as without:
            by_ann.get("/store/customers/me")
        with CaptureQueriesContext(connection) as with_one:
            by_ann.get("/store/customers/me", "fields=*orders")
        columns = {
            field.attname: getattr(oldest, field.attname)
            for field in Order._meta.concrete_fields
            if field.attname not in ("id", "shipping_address_id", "billing_address_id")
        }
        Order.objects.bulk_create(
            Order(**{**columns, "cart_id": f"cart_{number}", "display_id": number}) for number in range(1000, 1100)
        )
        with CaptureQueriesContext(connection) as with_many:
            shown = by_ann.get("/store/customers/me", "fields=*orders").json()["customer"]["orders"]
        assert len(with_many) == len(with_one) == len(without) + 1
        by_list = by_ann.get("/store/orders", "order=-created_at&limit=100&fields=id").json()["orders"]
        assert [each["id"] for each in shown] == [each["id"] for each in by_list]
        assert shown[0]["total"] == float(oldest.total)
