"""What Medusa's dashboard sends and asks for on the pages of orders (@medusajs/dashboard 2.21.2)."""

from pathlib import Path

import pytest
from pytest_django import Settings

from customers.models import Customer
from kit.jobs.models import Job
from orders.models import Fulfillment, FulfillmentLabel, Order, OrderNote, OrderTransfer
from tests.contract.callers import Caller, refusal
from tests.contract.conftest import admin
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.orders import order
from tests.orders.api.conftest import ProgramWith
from tests.orders.fulfillments.shop import lines, ordered, pack
from tests.orders.placed import placed
from tests.orders.returns.shop import return_of

pytestmark = pytest.mark.django_db

__all__ = ["admin"]
PAGE = (
    "id,status,created_at,canceled_at,email,display_id,custom_display_id,currency_code,metadata,total,"
    "credit_line_total,item_subtotal,item_total,item_tax_total,original_item_tax_total,item_discount_total,"
    "shipping_subtotal,original_total,original_tax_total,subtotal,discount_total,discount_subtotal,shipping_total,"
    "shipping_tax_total,original_shipping_tax_total,shipping_discount_total,tax_total,refundable_total,order_change,"
    "*customer,*items,*items.variant,*items.variant.product,*items.variant.options,"
    "+items.variant.manage_inventory,*items.variant.inventory_items.inventory,"
    "+items.variant.inventory_items.required_quantity,+summary,*shipping_address,*billing_address,*sales_channel,"
    "*promotions,*shipping_methods,*credit_lines,*fulfillments,"
    "+fulfillments.shipping_option.service_zone.fulfillment_set.type,*fulfillments.items,*fulfillments.labels,"
    "*fulfillments.labels,*payment_collections,*payment_collections.payment_sessions,*payment_collections.payments,"
    "*payment_collections.payments.refunds,*payment_collections.payments.refunds.refund_reason,region.automatic_taxes"
)
LIST = (
    "id,status,created_at,email,display_id,custom_display_id,payment_status,fulfillment_status,total,currency_code,"
    "*customer,*sales_channel,*payment_collections,*shipping_address"
)
OTHERS = [
    (
        "currency_code,*items,*items.variant,+items.variant.product.shipping_profile.id,*shipping_address,"
        "+shipping_methods.shipping_option_id,no_notification"
    ),
    (
        "currency_code,*items,*items.variant,+items.variant.product.title,*items.variant.inventory,"
        "*items.variant.inventory.location_levels,*items.variant.inventory_items,*shipping_address"
    ),
    "*fulfillments,*fulfillments.items,*fulfillments.labels,no_notification",
    "+currency_code,*items",
    "id,metadata",
]
ALWAYS = {"id", "status", "version", "payment_status", "fulfillment_status", "items"}


@pytest.mark.parametrize("fields", [PAGE, *OTHERS])
def test_the_pages_of_an_order(admin: Caller, fields: str) -> None:
    made = ordered()
    pack(made, 2)
    response = admin.get(f"/admin/orders/{made.pk}", f"fields={fields.replace('+', '%2B')}")
    assert response.status_code == 200, response.content
    shown = response.json()["order"]
    assert shown.keys() >= ALWAYS
    assert [each["detail"]["fulfilled_quantity"] for each in shown["items"]] == [2]


def test_whatever_is_selected_statuses_version_and_progress_are_there(admin: Caller) -> None:
    made = placed()
    for query in ("fields=id", "fields=id&version=1"):
        shown = admin.get(f"/admin/orders/{made.pk}", query).json()["order"]
        assert shown.keys() == ALWAYS
        assert [each.keys() for each in shown["items"]] == [{"id", "detail"}]
    (listed,) = admin.get("/admin/orders", f"fields={LIST}&order=-created_at&limit=20").json()["orders"]
    assert (listed["version"], listed["items"][0]["detail"]["quantity"]) == (1, 1)


def test_items_bring_their_taxes_and_discounts(admin: Caller) -> None:
    made = order()
    (line, _) = admin.get(f"/admin/orders/{made.pk}", "fields=*items").json()["order"]["items"]
    assert [each["rate"] for each in line["tax_lines"]] == [5]
    assert [each["amount"] for each in line["adjustments"]] == [6]


def test_another_version_is_not_kept(admin: Caller) -> None:
    made = placed()
    assert refusal(admin.get(f"/admin/orders/{made.pk}", "version=2"))[0] == 404
    status, message = refusal(admin.get(f"/admin/orders/{made.pk}", "version=x"))
    assert (status, "'version'" in message) == (400, True)


def test_customers_groups_returns_and_what_can_be_returned(admin: Caller) -> None:
    returned = return_of()
    query = "fields=refundable_total,*returns,*gift_cards,customer.groups.name,*fulfillments.provider"
    shown = admin.get(f"/admin/orders/{returned.order_id}", query).json()["order"]
    assert (shown["refundable_total"], [each["id"] for each in shown["returns"]]) == (10, [returned.pk])
    assert shown["gift_cards"] == []


def test_changes_are_filtered_as_the_timeline_does(admin: Caller) -> None:
    returned = return_of()
    path, types = f"/admin/orders/{returned.order_id}/changes", ["edit", "claim", "exchange", "return", "transfer"]
    query = "&".join(f"change_type[]={each}" for each in [*types, "update_order"])
    assert admin.get(path, query).json()["count"] == 0
    assert admin.get(path, "status=pending").json()["count"] == 0
    assert admin.get(path, "id=ordch_none").json()["count"] == 0
    assert refusal(admin.get(path, "change_type=other"))[0] == 400


def test_a_shipment_without_an_address_to_follow_it(admin: Caller) -> None:
    made = ordered()
    packed = pack(made, 2, metadata={"shelf": "A"})
    (line,) = lines(made)
    label = {"tracking_number": "T1", "tracking_url": "#", "label_url": "#"}
    body = {"items": [{"id": line.pk, "quantity": 2}], "labels": [label], "metadata": {"van": 3}}
    assert admin.post(f"/admin/orders/{made.pk}/fulfillments/{packed.pk}/shipments", body).status_code == 200
    kept = FulfillmentLabel.objects.get()
    assert (kept.tracking_number, kept.tracking_url, kept.label_url) == ("T1", None, None)
    assert Fulfillment.objects.get().metadata == {"shelf": "A", "van": 3}


def test_completing_ignores_additional_data(admin: Caller) -> None:
    made = placed()
    body = {"note": "Paid in cash", "additional_data": {"a": 1}}
    assert admin.post(f"/admin/orders/{made.pk}/complete", body).json()["order"]["status"] == "completed"


def test_shipping_options_of_an_order(admin: Caller, program_with: ProgramWith) -> None:
    made = ordered(shipping="5")
    hidden = option(3, name="By us", rules=[("enabled_in_store", "eq", "false")])
    shown = admin.get(f"/admin/orders/{made.pk}/shipping-options").json()["shipping_options"]
    assert hidden.pk in {each["id"] for each in shown}
    assert all(each["prices"] for each in shown)
    assert refusal(admin.get("/admin/orders/order_x/shipping-options"))[0] == 404
    reader = program_with("orders.view_order")
    assert reader.get(f"/admin/orders/{made.pk}/shipping-options").status_code == 403


class TestTransfers:
    @pytest.fixture
    def ann(self, db: None) -> Customer:
        return CustomerFactory(email="ann@example.com", has_account=True)

    def test_requested_for_a_customer(self, admin: Caller, ann: Customer) -> None:
        """Nothing moves until the order's own address agrees."""
        made = placed()
        body = {"customer_id": ann.pk, "internal_note": "Called", "description": "Hers", "update_order_email": True}
        shown = admin.post(f"/admin/orders/{made.pk}/transfer", body).json()["order"]
        assert (shown["id"], shown["customer_id"]) == (made.pk, None)
        kept = OrderTransfer.objects.get()
        assert (kept.customer_id, kept.description, kept.update_order_email) == (ann.pk, "Hers", True)
        assert OrderNote.objects.get().text == "Called"
        again = refusal(admin.post(f"/admin/orders/{made.pk}/transfer", body))
        assert again == (400, f"Order ({made.pk}) already has an existing active order change")
        assert admin.post(f"/admin/orders/{made.pk}/transfer/cancel", {}).status_code == 200
        kept.refresh_from_db()
        assert kept.status == "canceled"
        assert refusal(admin.post(f"/admin/orders/{made.pk}/transfer/cancel", {}))[0] == 400

    def test_nobody_without_an_account(self, admin: Caller) -> None:
        made, guest = placed(), CustomerFactory(has_account=False)
        for customer_id in (guest.pk, "cus_none"):
            status, message = refusal(admin.post(f"/admin/orders/{made.pk}/transfer", {"customer_id": customer_id}))
            assert (status, "'customer_id'" in message) == (400, True)
        assert not OrderTransfer.objects.exists()

    def test_to_a_guest(self, admin: Caller, ann: Customer) -> None:
        made = placed(customer=ann)
        path = f"/admin/orders/{made.pk}/transfer/guest"
        assert refusal(admin.post(path, {"email": "nobody"}))[0] == 400
        body = {"email": "Bob@example.com", "description": "His", "internal_note": "Called"}
        shown = admin.post(path, body).json()["order"]
        assert (shown["customer_id"], shown["email"], shown["version"]) == (None, "bob@example.com", made.version + 1)
        assert sorted(OrderNote.objects.values_list("text", flat=True)) == ["Called", "His"]

    @pytest.mark.parametrize("act", ["", "/guest"])
    def test_a_canceled_order_and_one_that_is_erased_stay(self, admin: Caller, ann: Customer, act: str) -> None:
        made = placed()
        body = {"email": "bob@example.com"} if act else {"customer_id": ann.pk}
        Order.objects.update(status="canceled", canceled_at=made.created_at)
        assert refusal(admin.post(f"/admin/orders/{made.pk}/transfer{act}", body))[0] == 400
        Order.objects.update(erasure_requested_at=made.created_at)
        assert refusal(admin.post(f"/admin/orders/{made.pk}/transfer{act}", body))[0] == 404

    def test_reading_orders_is_not_enough(self, erp: Caller, ann: Customer) -> None:
        made = placed()
        for act, body in (("", {"customer_id": ann.pk}), ("/guest", {"email": "a@example.com"}), ("/cancel", {})):
            assert erp.post(f"/admin/orders/{made.pk}/transfer{act}", body).status_code == 403


class TestExport:
    @pytest.fixture(autouse=True)
    def directory(self, tmp_path: Path, settings: Settings) -> None:
        settings.EXPORT_DIR = str(tmp_path)

    def test_the_answer_names_the_job(self, admin: Caller) -> None:
        query = "limit=20&offset=0&order=-created_at&status[]=pending&region_id[]=reg_x&created_at[$gte]=2026-11-01"
        response = admin.post("/admin/orders/export", {}, query=query)
        job = Job.objects.get()
        assert (response.status_code, response.json()) == (200, {"transaction_id": job.pk})
        choice = job.parameters["choice"]
        assert (choice["status"], choice["region_id"], choice["since"]) == (
            ["pending"],
            ["reg_x"],
            "2026-11-01T00:00:00.000Z",
        )

    @pytest.mark.parametrize(
        ("query", "named"),
        [
            ("status=open", "status"),
            ("created_at[$gt]=2026-11-01", "created_at"),
            ("created_at[$gte]=soon", "created_at[$gte]"),
            ("created_at=2026-11-01", "created_at"),
            ("q=ann", "q"),
        ],
    )
    def test_what_it_cannot_choose_by(self, admin: Caller, query: str, named: str) -> None:
        status, message = refusal(admin.post("/admin/orders/export", {}, query=query))
        assert (status, f"'{named}'" in message) == (400, True)
        assert not Job.objects.exists()

    def test_exporting_has_a_permission_of_its_own(self, erp: Caller) -> None:
        assert erp.post("/admin/orders/export", {}).status_code == 403
