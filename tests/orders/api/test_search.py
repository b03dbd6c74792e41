"""`q` of orders: number, email address, names, addresses, phones, titles, SKUs and tracking numbers."""

from urllib.parse import quote

import pytest
from django.core.management import call_command
from django.test import override_settings

from carts.details.addresses import Address
from carts.models import CartAddress
from customers.models import Customer
from kit.values.timestamps import now
from orders.access.transfers import answering, requesting
from orders.common.search import rebuilding
from orders.common.search.entries import refresh_entry
from orders.common.search.phones import with_joined_phones
from orders.erasure.order_parts import erase_orders
from orders.fulfillments import shipping
from orders.fulfillments.labels import NewLabel, add_labels
from orders.mails.transfers import render_transfer_mail
from orders.managing import details as managing
from orders.models import Order, OrderAddress, OrderSearch, OrderTransfer
from tests.contract.callers import Caller, refusal
from tests.factories.carts import cart, shopper, sold_variant
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.products import ProductFactory
from tests.orders.completing import order_of
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.shop import staff
from tests.orders.placed import placed
from tests.plans import plan_as_if_large

pytestmark = pytest.mark.django_db


def numbers(erp: Caller, search: str, query: str = "") -> list[int]:
    response = erp.get("/admin/orders", f"fields=display_id&q={quote(search)}{query}")
    assert response.status_code == 200, response.content
    listed = response.json()
    assert listed["count"] == len(listed["orders"])
    return [each["display_id"] for each in listed["orders"]]


@pytest.fixture
def orders(db: None) -> list[Order]:
    """Of Ann Lee at Crème & Sons: a mug; of Ann Lee alone: a T-shirt."""
    address = {"first_name": "Ann", "last_name": "Lee", "country_code": "us", "city": "Ulm"}
    with override_settings(ORDER_NUMBER_FORMAT="TEA-{number:05}"):
        mug = ready_cart(sold_variant(10, sku="MUG-0042", product=ProductFactory(title="Brown Teapot")))
        firm = {**address, "company": "Crème & Sons"}
        mug.shipping_address.__class__.objects.filter(pk=mug.shipping_address_id).update(**firm)
        first = order_of(mug)
    return [first, order_of(ready_cart(sold_variant(10, sku="SHIRT-7"), email="zoe@example.com"))]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ann", [1, 2]),
        ("ANN lee", [1, 2]),
        ("creme", [1]),
        ("sons mug", [1]),
        ("mug-0042", [1]),
        ("0042", [1]),
        ("irt-7", [2]),
        ("le", [1, 2]),
        ("ee", []),
        ("ann@example.com", [1, 2]),
        ("#1", [1]),
        ("2", [2]),
        ("tea-00001", [1]),
        ("ulm", [1]),
        ("2 lee", [2]),
        ("new york ulm", [1]),
        ("elm", [1, 2]),
        ("10001", [1, 2]),
        ("pot", [1]),
        ("lee pot ulm", [1]),
        ("ann nobody", []),
        ("a%n", []),
    ],
)
def test_every_word_is_found(orders: list[Order], erp: Caller, search: str, found: list[int]) -> None:
    assert numbers(erp, search) == found


PHONES = ["+49 (0)30 123-45", "030/12345", "+1 (212) 555-0123", "0039 06 123 456", "٠٣٠ 12345"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("+49 (0)30 123-45", [1, 2, 5]),
        ("03012345", [1, 2, 5]),
        ("030 123 45", [1, 2, 5]),
        ("0049 30 12345", [1, 2, 5]),
        ("+493012345", [1, 2, 5]),
        ("493012345", [1]),
        ("(030) 12345", [1, 2, 5]),
        ("030123", [1, 2, 5]),
        ("3012345", [1, 2, 5]),
        ("123-45", [1, 2, 4, 5]),
        ("12 34 5", [1, 2, 4, 5]),
        ("lee 030 12345", [1, 2, 5]),
        ("zed 030 12345", []),
        ("212-555-0123", [3]),
        ("+1 212 555 0123", [3]),
        ("2125550123", [3]),
        ("06 123456", [4]),
        ("+39 06 123456", [4]),
        ("555 9999", []),
    ],
)
def test_a_phone_number_is_found_however_it_is_typed(erp: Caller, search: str, found: list[int]) -> None:
    for phone in PHONES:
        bought = ready_cart(sold_variant(10))
        CartAddress.objects.filter(pk=bought.billing_address_id).update(phone=phone)
        order_of(bought)
    assert numbers(erp, search) == found


def test_codes_that_look_like_phone_numbers_are_found_as_typed(erp: Caller) -> None:
    order_of(ready_cart(sold_variant(10, sku="978-3-16-148410-0")))
    assert numbers(erp, "978-3-16-148410-0") == numbers(erp, "16-148410") == [1]


def test_a_postal_code_is_found_without_its_space(erp: Caller) -> None:
    bought = ready_cart(sold_variant(10))
    CartAddress.objects.filter(pk=bought.shipping_address_id).update(postal_code="SW1A 2AA")
    order_of(bought)
    assert [numbers(erp, search) for search in ("sw1a2aa", "SW1A 2AA", "1a2", "sw2")] == [[1], [1], [1], []]


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("1234AB", "1234 AB"),
        ("SW1A2AA", "sw1a  2aa"),
        ("M11AE", "M1 1AE"),
        ("K1A0B1", "K1A 0B1"),
        ("D6WXY00", "D6W XY00"),
        ("VLT1117", "VLT 1117"),
        ("9721AB", "9721 ab"),
        ("11455", "114 55"),
    ],
)
def test_a_postal_code_without_its_space_is_found_with_it(erp: Caller, code: str, typed: str) -> None:
    bought = ready_cart(sold_variant(10))
    CartAddress.objects.filter(pk=bought.shipping_address_id).update(postal_code=code)
    order_of(bought)
    assert [numbers(erp, search) for search in (typed, f"lee {typed}", f"zed {typed}")] == [[1], [1], []]


def test_an_order_is_found_by_its_changed_address(orders: list[Order], erp: Caller) -> None:
    address: Address = {
        "address_1": "7 Quay Lane",
        "city": "Hull",
        "postal_code": "HU1 1AA",
        "phone": "+44 1482 300 300",
    }
    managing.change(actor=staff(), order_id=orders[1].pk, shipping_address=address, billing_address=address)
    assert [numbers(erp, search) for search in ("quay hull", "hu11aa", "01482300300", "elm")] == [[2], [2], [2], [1]]


def test_an_erased_order_is_found_by_its_items_alone(orders: list[Order], erp: Caller) -> None:
    CartAddress.objects.update(phone=None)
    OrderAddress.objects.update(phone="030 12345")
    refresh_entry(orders[0].pk)
    erase_orders([orders[0].pk])
    searches = ("elm", "ulm", "york", "10001", "03012345", "lee", "teapot", "mug-0042")
    assert [numbers(erp, search) for search in searches] == [[2], [], [2], [2], [], [2], [1], [1]]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("jo@short.example", [1, 2]),
        ("O@SHORT", [1, 2]),
        ("jo@", [1, 2]),
        ("n@short.ex", [3]),
        ("jo@long.example", []),
        ("a.b@short.example", [4]),
        (".b@s", [4]),
        ("b@short jo@short", []),
        ("short.example jo@short", [1, 2]),
    ],
)
def test_an_e_mail_address_of_few_letters_is_found(erp: Caller, search: str, found: list[int]) -> None:
    """By the index of what stands before an @."""
    for name in ("jo", "banjo", "jon", "a.b"):
        placed(cart=cart(sold_variant(10), email=f"{name}@short.example"))
    assert numbers(erp, search) == found


@pytest.mark.postgresql
def test_the_index_of_what_stands_before_an_at_sign_is_used() -> None:
    for _ in range(3):
        placed()
    plan_as_if_large("orders_")
    found = OrderSearch.objects.filter(terms__ends="jo@", marked__contains="jo@shop.example")
    assert "orders_ordersearch_ends" in found.explain()


def test_together_with_filters_orders_and_pages(orders: list[Order], erp: Caller) -> None:
    assert numbers(erp, "lee", "&order=-display_id") == [2, 1]
    assert numbers(erp, "lee", f"&id={orders[1].pk}") == [2]
    assert numbers(erp, "lee", "&with_deleted=true") == [1, 2]
    listed = erp.get("/admin/orders", "fields=display_id&q=lee&limit=1&offset=1").json()
    assert (listed["count"], [each["display_id"] for each in listed["orders"]]) == (2, [2])
    assert numbers(erp, "", "&$or[0][q]=shirt&$or[1][q]=mug%20lee") == [1, 2]


def test_a_transferred_order_is_found_by_its_new_address(orders: list[Order], erp: Caller) -> None:
    zed: Customer = CustomerFactory(email="zed@else.example")
    requesting.request_transfer(actor=shopper(customer_id=zed.pk), order_id=orders[0].pk, update_order_email=True)
    mail = render_transfer_mail(OrderTransfer.objects.get().pk, 1)
    assert mail is not None
    answering.accept(actor=shopper(), order_id=orders[0].pk, token=str(mail.context["token"]))
    assert numbers(erp, "zed@else.example") == [1]
    assert numbers(erp, "ann@example.com") == [2]


def test_an_order_is_found_by_its_tracking_numbers(orders: list[Order], erp: Caller) -> None:
    made = pack(orders[1], 1)
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("1Z-999-AA1"), NewLabel("JJD 0042")])
    searches = {"1z-999-aa1": [2], "999-a": [2], "jjd lee": [2], "jjd sons": [], "0042": [1, 2], "rr7": []}
    assert {search: numbers(erp, search) for search in searches} == searches
    add_labels(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("RR7")])
    assert (numbers(erp, "rr7"), numbers(erp, "1z-999-aa1")) == ([2], [2])


def test_an_erased_tracking_number_finds_nothing(orders: list[Order], erp: Caller) -> None:
    made = pack(orders[0], 1)
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("RR7")])
    erase_orders([orders[0].pk])
    assert (numbers(erp, "rr7"), numbers(erp, "mug")) == ([], [1])


def test_each_order_has_one_entry(orders: list[Order]) -> None:
    assert set(OrderSearch.objects.values_list("order_id", flat=True)) == {each.pk for each in orders}


def test_too_many_words(erp: Caller) -> None:
    placed()
    status, message = refusal(erp.get("/admin/orders", "q=1%202%203%204%205%206%207%208%209"))
    assert (status, message[:28]) == (400, "Invalid request: The searche")


def test_rebuilding_writes_the_same_entries(orders: list[Order], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "BATCH", 1)
    made = pack(orders[0], 1)
    shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("RR7")])
    entries = OrderSearch.objects.order_by("order_id").values_list("order_id", "terms", "marked")
    before = list(entries)
    OrderSearch.objects.all().delete()
    call_command("rebuild_search", verbosity=0)
    assert list(entries) == before


def test_an_order_whose_lines_are_deleted_is_found_by_the_rest(orders: list[Order], erp: Caller) -> None:
    orders[0].items.update(deleted_at=now())
    refresh_entry(orders[0].pk)
    assert (numbers(erp, "sons"), numbers(erp, "mug"), numbers(erp, "shirt")) == ([1], [], [2])


def test_a_long_run_of_signs_is_no_phone_number() -> None:
    """However long a text of such signs is, only 40 of them are looked at from each place."""
    assert with_joined_phones(f"1{'-' * 40}23456") == f"1{'-' * 40}23456"
    assert with_joined_phones(f"1{'-' * 30}23456") == "123456"
