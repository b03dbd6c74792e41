"""GET /admin/orders and the same in GraphQL, as an ERP reads them."""

from typing import Any

import pytest

from catalog.products.product_editing import details
from kit.domain.actor import SYSTEM
from kit.values.timestamps import isoformat
from orders.api.resources import ADMIN_ORDERS, ORDER_ITEMS
from orders.fulfillments import shipping
from orders.fulfillments.labels import NewLabel
from orders.models import FulfillmentItem, Order, OrderTransaction
from payments.models import PaymentSession
from tests.contract.callers import Caller, invalid, refusal
from tests.contract.conftest import admin
from tests.factories.carts import sold_variant
from tests.factories.customers import CustomerFactory
from tests.factories.orders import order
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.api.conftest import ProgramWith
from tests.orders.fulfillments.shop import STAFF, lines, ordered, pack
from tests.orders.placed import placed
from tests.orders.test_graphql import members, spelled

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
PATH = "/admin/orders"
HALVES = (
    "display_id,email,locale,no_notification,canceled_at,*summary,*items,*items.tax_lines,*items.detail,*customer,*region",
    (
        "id,*shipping_address,*shipping_methods.tax_lines,*credit_lines,*payment_collections.payments.captures,*fulfillments,"
        "*fulfillments.delivery_address,*transactions,*sales_channel"
    ),
)
"""A GraphQL document has at most 300 fields."""


def one(caller: Caller, order_id: str, query: str = "") -> dict[str, Any]:
    response = caller.get(f"{PATH}/{order_id}", query)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["order"]
    return found


def numbers(caller: Caller, query: str) -> list[int]:
    response = caller.get(PATH, f"fields=display_id&{query}")
    assert response.status_code == 200, response.content
    return [each["display_id"] for each in response.json()["orders"]]


class TestList:
    def test_all_orders_by_number(self, erp: Caller) -> None:
        placed()
        placed(customer=CustomerFactory(email="ann@example.com"))
        listed = erp.get(PATH).json()
        assert [each["display_id"] for each in listed["orders"]] == [1, 2]
        assert (listed["count"], listed["limit"], listed["offset"]) == (2, 15, 0)
        assert numbers(erp, "order=-display_id&limit=1") == [2]

    def test_by_totals_and_numbers(self, erp: Caller) -> None:
        for amount in (10, 20, 30):
            placed(total=amount)
        assert numbers(erp, "total=20") == [2]
        assert numbers(erp, "total[$gte]=20") == [2, 3]
        assert numbers(erp, "total[$gt]=10.0001&total[$lt]=30") == [2]
        assert numbers(erp, "total[$in][]=10&total[$in][]=30") == [1, 3]
        assert numbers(erp, "display_id[$lte]=2&total[$ne]=10") == [2]
        assert numbers(erp, "display_id[]=1&display_id[]=3") == [1, 3]

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("total=much", "Expected type: 'number' for field 'total', got: 'much'"),
            ("total[$gt]=", "Expected type: 'number' for field 'total', got: ''"),
            ("total=1e3", "Expected type: 'number' for field 'total', got: '1e3'"),
            (
                "total=0.00001",
                "Value for field 'total' is out of bounds: at most 100000000000, with 4 decimals",
            ),
            ("total[$like]=1", "Unrecognized operator '$like' for field 'total'"),
            ("display_id=1.5", "Expected type: 'number' for field 'display_id', got: '1.5'"),
            ("display_id=" + "9" * 19, f"Expected type: 'number' for field 'display_id', got: '{'9' * 19}'"),
            ("status=open", "Expected: 'pending, completed, archived, canceled' for field 'status', but got: 'open'"),
            ("phone=1", "Unrecognized fields: 'phone'"),
        ],
    )
    def test_what_no_filter_accepts(self, erp: Caller, query: str, message: str) -> None:
        assert refusal(erp.get(PATH, query)) == invalid(message)

    def test_guests_and_emails_in_any_letter_case(self, erp: Caller) -> None:
        placed()
        placed(customer=CustomerFactory(email="ann@example.com"))
        assert numbers(erp, "customer_id=null") == [1]
        assert numbers(erp, "email=ANN@example.com") == [2]

    def test_a_product(self, erp: Caller) -> None:
        """Each order once, also with several variants of the product, and after the product was deleted."""
        mug, shirt = sold_variant(10), sold_variant(20)
        for variants in ((mug, sold_variant(11, product=mug.product), shirt), (shirt,), (mug,)):
            placed(*variants)
        details.VERBS.delete(actor=SYSTEM, ids=[mug.product_id])
        listed = erp.get(PATH, f"fields=display_id&product_id={mug.product_id}").json()
        assert ([each["display_id"] for each in listed["orders"]], listed["count"]) == ([1, 3], 2)
        assert numbers(erp, f"product_id[]={mug.product_id}&product_id[]={shirt.product_id}") == [1, 2, 3]
        assert numbers(erp, f"product_id={shirt.product_id}&display_id[$gt]=1") == [2]
        assert numbers(erp, "product_id=prod_none") == []


class TestTotals:
    """An order of 2 x 20 less 10%, post of 10, 5% tax on both, and a gift card of 5: 42.30 and 10.50 less 5 by hand."""

    EXACT = {
        "original_total": 136.5,
        "discount_total": 12.6,
        "item_discount_total": 12.6,
        "shipping_discount_total": 0,
        "gift_card_total": 5,
        "gift_card_tax_total": 0,
        "credit_line_total": 5,
    }

    def test_the_parts_of_discounts_and_what_cards_paid(self, erp: Caller) -> None:
        made = order()
        store_credit = placed()
        assert {name: one(erp, made.pk)[name] for name in self.EXACT} == self.EXACT
        (shown, other) = erp.get(PATH).json()["orders"]
        assert {name: shown[name] for name in self.EXACT} == self.EXACT
        assert (other["id"], other["gift_card_total"]) == (store_credit.pk, 0)


class TestOne:
    def test_what_only_staff_see(self, admin: Caller) -> None:
        made = ordered()
        packed = pack(made, 2, metadata={"shelf": "A"})
        shipping.ship(actor=STAFF, fulfillment_id=packed.pk, labels=[NewLabel("T1", None, "https://x.example/T1.pdf")])
        packed.refresh_from_db()
        item, (line,) = FulfillmentItem.objects.get(), lines(made)
        (fulfillment,) = one(admin, made.pk, "fields=id,*fulfillments")["fulfillments"]
        assert fulfillment["items"] == [
            {
                "id": item.pk,
                "line_item_id": line.pk,
                "title": item.title,
                "quantity": 2,
                "sku": item.sku,
                "barcode": item.barcode,
                "inventory_item_id": item.inventory_item_id,
                "units": 2,
            }
        ]
        assert fulfillment["labels"][0]["label_url"] == "https://x.example/T1.pdf"
        own = ("order_id", "location_id", "created_by", "marked_shipped_by", "metadata", "data", "shipped_at")
        assert {name: fulfillment[name] for name in own} == {
            "order_id": made.pk,
            "location_id": packed.location_id,
            "created_by": "user_ann",
            "marked_shipped_by": "user_ann",
            "metadata": {"shelf": "A"},
            "data": {},
            "shipped_at": isoformat(packed.shipped_at),
        }

    def test_every_part_by_its_name(self, admin: Caller) -> None:
        ann = CustomerFactory(email="ann@example.com", first_name="Ann")
        made = order(ann, captured=True)
        shown = one(admin, made.pk, "fields=email,customer_id,*customer,*region,*sales_channel,*transactions")
        assert (shown["email"], shown["customer_id"]) == ("ann@example.com", ann.pk)
        assert (shown["customer"]["first_name"], shown["region"]["id"]) == ("Ann", made.region_id)
        assert shown["sales_channel"] == {"id": made.sales_channel_id, "name": made.sales_channel.name}
        kept = OrderTransaction.objects.get()
        assert shown["transactions"] == [
            {
                "id": kept.pk,
                "order_id": made.pk,
                "amount": float(made.total),
                "currency_code": "usd",
                "reference": "capture",
                "reference_id": kept.reference_id,
                "version": 1,
                "created_at": isoformat(kept.created_at),
            }
        ]

    def test_the_payment_without_what_its_provider_keeps(self, admin: Caller) -> None:
        made = order(captured=True)
        PaymentSession.objects.update(data={"client_secret": "hush"})
        response = admin.get(f"{PATH}/{made.pk}", "fields=%2B*payment_collections.payment_sessions")
        assert b"hush" not in response.content
        ((payment,),) = [each["payments"] for each in response.json()["order"]["payment_collections"]]
        assert (payment["data"], payment["captured_amount"]) == ({}, float(made.total))
        assert [each["amount"] for each in payment["captures"]] == [float(made.total)]

    def test_relations_show_what_the_key_may_view(self, program_with: ProgramWith) -> None:
        made = order(CustomerFactory(), captured=True)
        query = "fields=id,customer.id,payment_collections.id"
        hidden = one(program_with("orders.view_order"), made.pk, query)
        assert (hidden["id"], hidden["customer"], hidden["payment_collections"]) == (made.pk, None, [])
        whole = one(
            program_with("orders.view_order", "customers.view_customer", "payments.view_paymentcollection"),
            made.pk,
            query,
        )
        assert whole["customer"] == {"id": made.customer_id}
        assert len(whole["payment_collections"]) == 1

    def test_an_unknown_id_and_a_key_without_the_permission(self, erp: Caller, program_with: ProgramWith) -> None:
        assert refusal(erp.get(f"{PATH}/order_x")) == (404, "Order with id: order_x was not found")
        other = program_with("orders.view_returnreason")
        for path in (PATH, f"{PATH}/{placed().pk}", f"{PATH}/order_x/line-items"):
            assert refusal(other.get(path)) == (403, "The permission 'orders.view_order' is required")


class TestLineItems:
    def test_the_counters_with_the_lines(self, erp: Caller) -> None:
        made, other = ordered(), placed()
        pack(made, 2)
        (line,) = lines(made)
        listed = erp.get(f"{PATH}/{made.pk}/line-items").json()
        assert listed["count"] == 1
        (shown,) = listed["order_items"]
        assert (shown["id"], shown["item_id"], shown["order_id"]) == (line.detail_id, line.pk, made.pk)
        assert (shown["quantity"], shown["fulfilled_quantity"], shown["version"]) == (5, 2, 2)
        assert shown["history"] == {"version": {"from": 1, "to": 2}}
        assert (shown["item"]["id"], shown["item"]["title"], shown["item"]["fulfilled_total"]) == (
            line.pk,
            line.title,
            20,
        )
        assert erp.get(f"{PATH}/{made.pk}/line-items", f"order_id={other.pk}").json()["count"] == 0

    def test_of_an_unknown_order(self, erp: Caller) -> None:
        assert refusal(erp.get(f"{PATH}/order_x/line-items")) == (404, "Order with id: order_x was not found")


class TestGraphQL:
    @pytest.mark.parametrize("fields", HALVES)
    def test_each_half_of_an_order_is_rests(self, admin: Caller, fields: str) -> None:
        made = ordered()
        pack(made, 2)
        chosen = members(ADMIN_ORDERS.field_set.parse(fields))
        document = f'{{ adminOrder(id: "{made.pk}") {{ {chosen} }} }}'
        assert data(ask(admin, document))["adminOrder"] == spelled(one(admin, made.pk, f"fields={fields}"))

    def test_the_lists_are_rests(self, admin: Caller) -> None:
        made = ordered()
        order(captured=True)
        listed = members(ADMIN_ORDERS.list_field_set.parse(None))
        document = f"{{ adminOrders {{ orders {{ {listed} }} count estimateCount offset limit }} }}"
        assert data(ask(admin, document))["adminOrders"] == spelled(admin.get(PATH).json())
        counted = members(ORDER_ITEMS.field_set.parse(None))
        document = f'{{ orderItems(orderId: ["{made.pk}"]) {{ orderItems {{ {counted} }} count }} }}'
        rest = spelled(admin.get(f"{PATH}/{made.pk}/line-items").json())
        assert data(ask(admin, document))["orderItems"] == {name: rest[name] for name in ("orderItems", "count")}

    def test_the_same_filters(self, erp: Caller) -> None:
        for amount in (10, 20, 30):
            placed(total=amount)
        document = '{ adminOrders(total: {gte: 20.5}, displayId: {in: [1, 3]}, q: "guest") { orders { total } } }'
        assert data(ask(erp, document)) == {"adminOrders": {"orders": [{"total": 30}]}}

    def test_the_same_permission(self, program_with: ProgramWith) -> None:
        other = program_with("orders.view_returnreason")
        for document in (
            "{ adminOrders { count } }",
            '{ adminOrder(id: "order_x") { id } }',
            "{ orderItems { count } }",
        ):
            ((_, message, _),) = failures(ask(other, document))
            assert message == "The permission 'orders.view_order' is required"


def test_a_canceled_order_says_when(erp: Caller) -> None:
    made = placed(status="canceled", canceled_at=Order.objects.model._meta.get_field("created_at").default())
    shown = one(erp, made.pk, "fields=status,canceled_at")
    assert (shown["status"], shown["canceled_at"]) == ("canceled", isoformat(made.canceled_at))
