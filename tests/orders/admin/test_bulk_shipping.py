"""Shipping many parcels from the list of orders: numbers are typed, pasted or uploaded, previewed and confirmed."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kit.jobs.models import Job
from kit.messages.mails.models import Mail
from orders.admin.forms.action_form import USED
from orders.fulfillments import shipping
from orders.managing.bulk.tracking_rows import MOST_CHARACTERS
from orders.models import Fulfillment, FulfillmentLabel, Order
from tests.kit.admin.visits import reported, superuser, visitor
from tests.kit.jobs.bulk_worker import run_bulk_worker
from tests.orders.admin.forms.desk import history, text_of
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.managing.bulk.shop import packed_orders, told
from tests.orders.managing.shop import work
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/orders/order/"
FILTERED = f"{LIST}?todo=ship&p=1"


def opened(client: Client, *orders: Order, address: str = FILTERED) -> Any:
    """The page that the action leads to."""
    keys = [order.pk for order in orders]
    return client.post(address, {"action": "ship_selected", "_selected_action": keys, "index": "0"})


def form_of(page: Any, place: int = -1) -> tuple[str, dict[str, Any]]:
    """The address and the hidden values of the first or last form of the page's content."""
    content = page.content.decode()
    forms = re.findall(r'<form method="post" action="([^"]*bulk[^"]*)".*?</form>', content, re.DOTALL)
    parts = re.findall(r'<form method="post" action="[^"]*bulk[^"]*".*?</form>', content, re.DOTALL)
    hidden = dict(re.findall(r'<input type="hidden" name="(chosen|ticket)" value="([^"]*)"', parts[place]))
    return unescape(forms[place]), hidden


def previewed(client: Client, page: Any, **values: Any) -> Any:
    address, hidden = form_of(page)
    return client.post(address, {**hidden, **values})


def confirm(client: Client, preview: Any, *, is_mailed: bool = True) -> Job:
    """Confirm what the preview shows; the job, which has run."""
    address, hidden = form_of(preview, 0)
    answer = client.post(address, {**hidden, **({"notify": "on"} if is_mailed else {})})
    assert answer.status_code == 302, text_of(answer)
    (key,) = re.findall(r"/admin/jobs/job/(\w+)/change/", answer["Location"])
    found: Job = Job.objects.get(pk=key.replace("_5F", "_"))
    found.page = answer["Location"]
    run_bulk_worker()
    return found


def letters() -> int:
    work()
    return Mail.objects.filter(kind="order_shipped").count()


@pytest.mark.parametrize("is_mailed", [True, False])
def test_twenty_orders_by_pasted_numbers(is_mailed: bool) -> None:
    """Case 61."""
    client, orders = superuser(), packed_orders(20)
    *known, unknown = orders
    rows = [f"{order.display_id}\tT-{order.display_id}" for order in known] + ["999999\tT-X"]
    preview = previewed(client, opened(client, *known), pasted="\n".join(rows))
    shown = text_of(preview)
    assert "Ship 19 parcels?" in shown
    assert "Row 20: 999999No order has this number." in shown
    assert not FulfillmentLabel.objects.exists()
    meanwhile = known[4]
    shipping.ship(actor=STAFF, fulfillment_id=meanwhile.fulfillments.get().pk, no_notification=True)
    job = confirm(client, preview, is_mailed=is_mailed)
    expected = [
        (str(order), "done", f"Shipped, T-{order.display_id}.")
        if order != meanwhile
        else (str(order), "skipped", "Shipped already.")
        for order in known
    ]
    assert told(job) == [*expected, ("Row 20", "refused", "No order has this number.")]
    job.refresh_from_db()
    assert (job.status, job.total, job.succeeded, job.refused) == ("done", 20, 19, 1)
    assert letters() == (18 if is_mailed else 0)
    page = text_of(client.get(job.page))
    assert "20 of 20 rows: 18 done, 1 skipped, 1 refused." in page
    assert f'href="{FILTERED.replace("&", "&amp;")}"' in client.get(job.page).content.decode()
    assert Fulfillment.objects.filter(shipped_at=None).get().order == unknown

    again = text_of(previewed(client, opened(client, unknown), pasted="\n".join(rows)))
    assert "Nothing to ship" in again
    assert again.count("Shipped already.") == 19
    before = sorted(FulfillmentLabel.objects.values_list("fulfillment", "tracking_number"))
    assert len(before) == 18
    address, hidden = form_of(preview, 0)
    answer = client.post(address, {**hidden, **({} if is_mailed else {"notify": "on"})})
    assert reported(answer)[-1] == USED
    repeated = confirm(client, preview, is_mailed=is_mailed)  # the page that was confirmed before, in another tab
    assert repeated.pk == job.pk
    assert sorted(FulfillmentLabel.objects.values_list("fulfillment", "tracking_number")) == before
    assert letters() == (18 if is_mailed else 0)


def test_a_job_keeps_nothing_of_what_was_pasted_into_wrong_rows() -> None:
    client = superuser()
    (order,) = packed_orders(1)
    rows = [f"{order.display_id},T-1", "Ann Lee,T-2", f"{order.display_id},T-1,Elm Street"]
    preview = previewed(client, opened(client, order), pasted="\n".join(rows))
    assert "Row 2: Ann Lee" in text_of(preview)
    job = confirm(client, preview)
    assert told(job)[1:] == [
        ("Row 2", "refused", "No order has this number."),
        ("Row 3", "refused", "The order has no parcel of that number."),
    ]
    for text in ("Ann", "Elm", "T-2"):
        assert text not in str(job.parameters)


def test_a_second_preview_of_the_same_rows_ships_none_twice() -> None:
    client, orders = superuser(), packed_orders(2)
    rows = "\n".join(f"{order.display_id};T{order.display_id}" for order in orders)
    first, second = (previewed(client, opened(client, *orders), pasted=rows) for _ in range(2))
    confirm(client, first)
    assert told(confirm(client, second)) == [(str(order), "skipped", "Shipped already.") for order in orders]
    assert FulfillmentLabel.objects.count() == letters() == 2
    assert [message for _, message in history(orders[0])] == [f"Shipped, T{orders[0].display_id}."]


def test_a_preview_writes_nothing_and_locks_nothing() -> None:
    client, orders = superuser(), packed_orders(3)
    page, counts = opened(client, *orders), []
    for number in (1, 3):
        rows = "\n".join(f"{order.display_id},T" for order in orders[:number])
        with CaptureQueriesContext(connection) as seen:
            assert "Ship" in text_of(previewed(client, page, pasted=rows))
        statements = [each["sql"].upper() for each in seen]
        assert not [sql for sql in statements if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE"))]
        assert not [sql for sql in statements if "FOR UPDATE" in sql or "FOR NO KEY" in sql]
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_numbers_are_typed_for_the_parcels_of_the_table() -> None:
    client, orders = superuser(), packed_orders(3)
    page = opened(client, *orders)
    assert "Ship 3 parcels?" in text_of(page)
    parcels = [order.fulfillments.get() for order in orders]
    preview = previewed(client, page, **{f"tracking_{parcels[0].pk}": " T-1 "})
    assert "Ship 1 parcel?" in text_of(preview)
    preview = previewed(client, page, **{f"tracking_{parcels[0].pk}": "T-1"}, without_number="on")
    assert "Ship 3 parcels?" in text_of(preview)
    confirm(client, preview)
    assert list(FulfillmentLabel.objects.values_list("fulfillment", "tracking_number")) == [(parcels[0].pk, "T-1")]
    assert not Fulfillment.objects.filter(shipped_at=None).exists()


def test_a_number_typed_for_a_parcel_that_was_shipped_since_is_told() -> None:
    client, orders = superuser(), packed_orders(2)
    page = opened(client, *orders)
    first, second = (order.fulfillments.get() for order in orders)
    shipping.ship(actor=STAFF, fulfillment_id=first.pk)
    typed = {f"tracking_{first.pk}": "T-1", f"tracking_{second.pk}": "T-2", "tracking_x": " "}
    preview = text_of(previewed(client, page, **typed))
    assert "Ship 1 parcel?" in preview
    assert f"The table, {orders[0]}It no longer waits to be shipped" in preview
    assert "Left out: 1 row" in preview
    preview = text_of(previewed(client, page, **{f"tracking_{first.pk}": "T-1"}))
    assert "Nothing to ship" in preview


def test_the_list_of_the_form_has_only_packed_parcels_and_an_empty_form_is_refused() -> None:
    client, order = superuser(), paid()
    page = opened(client, order, address=LIST)
    assert "None of the selected orders has a packed parcel." in text_of(page)
    assert "Enter, paste or upload tracking numbers." in text_of(previewed(client, page))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_file_with_or_without_a_byte_order_mark(mark: bytes, end: bytes) -> None:
    client, orders = superuser(), packed_orders(2)
    rows = [b"Order;Tracking", *(f'#{order.display_id};="00{order.display_id}"'.encode() for order in orders), b""]
    file = SimpleUploadedFile("shipped.csv", mark + end.join(rows), "text/csv")
    preview = previewed(client, opened(client, *orders), file=file)
    assert "Ship 2 parcels?" in text_of(preview)
    confirm(client, preview)
    assert sorted(FulfillmentLabel.objects.values_list("tracking_number", flat=True)) == sorted(
        f"00{order.display_id}" for order in orders
    )


def test_a_preview_can_be_changed_with_the_rows_of_the_file() -> None:
    client, orders = superuser(), packed_orders(1)
    file = SimpleUploadedFile("a.csv", b"7777,T-1\n", "text/csv")
    preview = previewed(client, opened(client, *orders), file=file)
    assert "7777,T-1" in preview.content.decode()
    assert "Ship 1 parcel?" in text_of(previewed(client, preview, pasted=f"{orders[0].display_id},T-1"))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"pasted": "1,T\n" * 501}, "At most 500 rows at once."),
        ({"pasted": "1" * (MOST_CHARACTERS + 1)}, "At most 200,000 characters at once."),
        ({"pasted": "1,T\0"}, "Null characters are not allowed."),
        ({"file": SimpleUploadedFile("a.csv", b"1,\xe9\n")}, "The file is not in UTF-8. Save it as “CSV UTF-8”."),
        ({"file": SimpleUploadedFile("a.csv", "1,T\n".encode("utf-16"))}, "The file is not in UTF-8."),
        ({"file": SimpleUploadedFile("a.csv", b"1,\0\n")}, "characters that cannot be stored"),
        ({"file": SimpleUploadedFile("a.csv", b"1" * 800_001)}, "The file is larger than 800 kB."),
        ({"file": SimpleUploadedFile("a.csv", b"1,T"), "pasted": "1,T"}, "Paste rows or upload a file, not both."),
    ],
)
def test_what_is_too_large_or_unreadable_is_refused(values: dict[str, Any], said: str) -> None:
    client = superuser()
    page = previewed(client, client.get(f"{LIST}bulk/ship/"), **values)
    assert said in text_of(page)
    assert not Job.objects.exists()


def test_a_body_that_is_far_too_large_is_refused() -> None:
    client = superuser()
    address, hidden = form_of(client.get(f"{LIST}bulk/ship/"))
    answer = client.post(address, {**hidden, "pasted": "1" * 2_000_000})
    assert answer.status_code == 413


def test_what_was_sealed_cannot_be_changed_or_used_elsewhere() -> None:
    client, orders = superuser(), packed_orders(1)
    address, hidden = form_of(opened(client, *orders))
    pages = {
        address: [
            {**hidden, "chosen": hidden["chosen"] + "A"},
            {},
            {"chosen": hidden["chosen"]},
            {**hidden, "ticket": "x"},
        ],
        f"{LIST}bulk/pack/": [hidden],
    }
    for sent_to, forms in pages.items():
        for values in forms:
            answer = client.post(sent_to, {**values, "pasted": f"{orders[0].display_id},T"})
            assert answer.status_code == 302
            assert reported(answer)[-1] == "The page was too old. Select the orders again."
    assert not Job.objects.exists()


def test_a_button_above_the_list_leads_to_the_page() -> None:
    client, button = visitor("orders.view_order", "orders.change_fulfillment"), f"{LIST}ship_parcels/"
    assert f'href="{button}"' in client.get(LIST).content.decode()
    assert client.get(button)["Location"] == f"{LIST}bulk/ship/"
    assert client.get(f"{LIST}bulk/ship/").status_code == 200


def test_those_who_may_not_ship_get_neither_the_action_nor_the_page() -> None:
    client = visitor("orders.view_order", "orders.add_fulfillment")
    assert "ship_parcels" not in client.get(LIST).content.decode()
    assert client.get(f"{LIST}ship_parcels/").status_code == 403
    orders = packed_orders(1)
    names = client.get(LIST).context["action_form"].fields["action"].choices
    assert [name for name, _ in names] == ["", "pack_selected", "print_selected"]
    assert client.get(f"{LIST}bulk/ship/").status_code == 403
    address, hidden = form_of(opened(superuser(), *orders))
    assert client.post(address, {**hidden, "pasted": f"{orders[0].display_id},T"}).status_code == 403
    assert opened(client, *orders).status_code == 302
    assert not Job.objects.exists()


def test_those_who_lose_the_permission_meanwhile_are_refused_each_row() -> None:
    client, orders = visitor("orders.view_order", "orders.change_fulfillment"), packed_orders(2)
    rows = "\n".join(f"{order.display_id},T" for order in orders)
    preview = previewed(client, opened(client, *orders), pasted=rows)
    address, hidden = form_of(preview, 0)
    client.post(address, hidden)
    client.user.user_permissions.clear()
    run_bulk_worker()
    reason = "The permission 'orders.view_order' is required"
    assert told(Job.objects.get()) == [(str(order), "refused", reason) for order in orders]
    assert not FulfillmentLabel.objects.exists()


def test_a_parcel_of_several_is_named_in_the_third_column() -> None:
    client, order = superuser(), paid()
    first, second = pack(order, 2), pack(order, 3)
    page = opened(client, order)
    assert f"{order}, parcel 1" in text_of(page)
    ambiguous = text_of(previewed(client, page, pasted=f"{order.display_id},T-1"))
    assert "Several parcels are packed: add the parcel's number (1 or 2) as third column." in ambiguous
    confirm(client, previewed(client, page, pasted=f"{order.display_id},T-2,2"))
    assert FulfillmentLabel.objects.get().fulfillment_id == second.pk
    preview = previewed(client, page, pasted=f"{order.display_id},T-1")
    assert f"{order}, parcel 1" in text_of(preview)
    assert first.shipped_at is None
