"""Guests find their order by number and email address; others learn nothing."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from kit.domain.actor import SYSTEM
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from orders.access.lookups.requesting import discard_expired
from orders.erasure.erasing import erase
from orders.erasure.people import guest as guest_person
from orders.fulfillments import shipping
from orders.fulfillments.labels import NewLabel
from orders.models import Order, OrderLookup
from tests.contract.callers import Caller, refusal
from tests.contract.callers import invalid as invalid_request
from tests.customers.conftest import signed_in
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.shop import SalesChannelFactory
from tests.orders.fulfillments.shop import STAFF, pack
from tests.orders.lookups.asking import LOOKUP, ask, mailed, token_for
from tests.orders.placed import GUEST, placed
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db

ACCEPTED = (202, {"success": True})


def stamp(moment: Any) -> str:
    return str(moment.isoformat(timespec="milliseconds")).replace("+00:00", "Z")


def outcome(caller: Caller, token: str) -> tuple[int, dict[str, str]]:
    answer = caller.post(f"{LOOKUP}/{token}")
    return answer.status_code, answer.json()


def unknown(token: str) -> tuple[int, dict[str, str]]:
    return 404, {"type": "not_found", "message": f"Order lookup with id: {token} was not found"}


# --- The six cases ---


def test_1_the_right_pair_gets_an_email_whose_token_shows_the_order(guest: Caller) -> None:
    made = placed()
    answer = ask(guest, made.display_id)
    assert (answer.status_code, answer.json()) == ACCEPTED
    (token,) = mailed()
    (letter,) = mail.outbox
    assert letter.to == [GUEST]
    assert letter.subject == f"Your order #{made.display_id} at {letter.from_email.partition(' <')[0].strip(chr(34))}"
    assert len(token) == 43  # 256 bits in base64
    shown = guest.post(f"{LOOKUP}/{token}")
    assert (shown.status_code, shown["Cache-Control"]) == (200, "no-store")
    order = shown.json()["order"]
    (line,) = order.pop("items")
    assert {name: line[name] for name in ("title", "quantity", "unit_price", "total", "shipped_quantity")} == {
        "title": made.items.get().title, "quantity": 1, "unit_price": 10, "total": 10, "shipped_quantity": 0,
    }  # fmt: skip
    texts = {name: value for name, value in order.items() if isinstance(value, str | list | None)}
    assert texts == {
        "custom_display_id": None,
        "status": "pending",
        "payment_status": "captured",
        "fulfillment_status": "not_fulfilled",
        "email": "g•••@example.com",
        "currency_code": "usd",
        "created_at": stamp(made.created_at),
        "canceled_at": None,
        "fulfillments": [],
        "invoices": [],
    }
    assert (order["display_id"], order["item_total"], order["total"]) == (made.display_id, 10, 10)


@pytest.mark.parametrize("wrong", ["email", "number", "account", "erased", "channel", "deleted"])
def test_2_to_5_everything_else_is_answered_alike_and_gets_no_email(wrong: str, guest: Caller) -> None:
    ann = CustomerFactory(email="ann@example.com")
    made = placed(customer=ann if wrong == "account" else None)
    email, number = made.email, made.display_id
    if wrong == "email":
        email = "eve@example.com"
    elif wrong == "number":
        number += 1
    elif wrong == "channel":
        Order.objects.update(sales_channel=SalesChannelFactory())
    elif wrong in ("erased", "deleted"):
        Order.objects.update(**{"erasure_requested_at" if wrong == "erased" else "deleted_at": now()})
    answer = ask(guest, number, email)
    assert (answer.status_code, answer.json()) == ACCEPTED
    assert mailed() == []
    assert [each.status for each in Mail.objects.filter(kind="order_lookup")] == ["not needed"]
    assert OrderLookup.objects.get().token_digest is None


def test_6_a_used_or_expired_token_is_answered_as_an_unknown_one(guest: Caller) -> None:
    made = placed()
    used, expired = token_for(guest, made.display_id), token_for(guest, made.display_id)
    assert outcome(guest, used)[0] == 200
    OrderLookup.objects.filter(token_digest=token_digest(expired)).update(expires_at=now())
    for token in (used, expired, "x" * 43, "nope"):
        assert outcome(guest, token) == unknown(token)


# --- Details of them ---


def test_statements_do_not_depend_on_the_pair(guest: Caller) -> None:
    made = placed()
    ask(guest, 999, "first@example.com")  # what a process learns with its first request
    shapes = []
    for number, email in ((made.display_id, GUEST), (made.display_id, "eve@example.com"), (998, GUEST)):
        with CaptureQueriesContext(connection) as queries:
            ask(guest, number, email)
        shapes.append([re.sub(r"'[^']*'|\d+|[0-9a-f]{32,}", "?", query["sql"]) for query in queries])
    assert shapes[0] == shapes[1] == shapes[2]
    assert not any("orders_order" in sql and "orderlookup" not in sql for sql in shapes[0])


def test_the_token_lives_for_60_minutes_from_the_email_and_only_its_digest_is_stored(guest: Caller) -> None:
    token = token_for(guest, placed().display_id)
    lookup = OrderLookup.objects.get()
    assert lookup.token_digest == token_digest(token)
    assert timedelta(minutes=59) < lookup.expires_at - now() <= timedelta(minutes=60)
    stored = [*OrderLookup.objects.values_list(), *Mail.objects.values_list()]
    assert token not in str(stored)
    assert GUEST not in str(stored)


@pytest.mark.parametrize("number", ["{0}", " #{0} ", "W-{0:06}", "w-{0:06}", "#W-{0:06}"])
def test_numbers_in_each_form(number: str, guest: Caller) -> None:
    made = placed()
    Order.objects.update(custom_display_id=f"W-{made.display_id:06}")
    assert token_for(guest, number.format(made.display_id))


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("guest@example.com", " Guest@EXAMPLE.com "),
        ("info@xn--mller-kva.de", "Info@Müller.de"),
        ("info@xn--mller-kva.de", "info@XN--MLLER-KVA.de"),
    ],
)
def test_email_addresses_in_each_form(stored: str, typed: str, guest: Caller) -> None:
    made = placed()
    Order.objects.update(email=stored)
    token_for(guest, made.display_id, typed)
    assert mail.outbox[0].to == [stored]


def test_parcels_can_be_followed(guest: Caller) -> None:
    made = paid()
    packed = pack(made, 2)
    shipping.ship(
        actor=STAFF,
        fulfillment_id=packed.pk,
        labels=[NewLabel(tracking_number="1Z999", tracking_url="https://carrier.example/1Z999")],
    )
    email = str(made.email)
    order = guest.post(f"{LOOKUP}/{token_for(guest, made.display_id, email)}").json()["order"]
    (sent,) = order["fulfillments"]
    packed.refresh_from_db()
    assert order["fulfillment_status"] == "partially_shipped"
    assert sent == {
        "packed_at": stamp(packed.packed_at),
        "shipped_at": stamp(packed.shipped_at),
        "delivered_at": None,
        "canceled_at": None,
        "items": [{"title": packed.items.get().title, "quantity": 2}],
        "labels": [{"tracking_number": "1Z999", "tracking_url": "https://carrier.example/1Z999"}],
    }


def test_the_answer_has_no_ids_and_none_can_be_selected(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    for name in ("id", "cart", "customer_id", "payment_collections", "items.id", "shipping_address"):
        assert refusal(guest.post(f"{LOOKUP}/{token}", query=f"fields={name}")) == (
            400, f"Requested fields [{name}] are not valid",
        )  # fmt: skip
    shown = guest.post(f"{LOOKUP}/{token}", query="fields=display_id,*items,*fulfillments")
    assert shown.status_code == 200  # a refused selection has not used the token up
    assert re.findall(r"\w+_[0-9A-HJKMNP-TV-Z]{26}|id\"", shown.content.decode()) == ['id"']  # display_id


def test_an_account_that_has_been_opened_since_keeps_the_order_to_itself(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    Order.objects.update(customer=CustomerFactory(email=GUEST))
    assert outcome(guest, token) == unknown(token)


def test_an_address_that_was_changed_since_no_longer_opens_the_order(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    Order.objects.update(email="new@example.com")
    assert outcome(guest, token) == unknown(token)


def test_another_channels_storefront_cannot_use_the_token(guest: Caller) -> None:
    made = placed()
    token = token_for(guest, made.display_id)
    other = Caller(x_publishable_api_key=publishable_key(SalesChannelFactory()).token)
    assert outcome(other, token) == unknown(token)
    assert outcome(guest, token)[0] == 200


def test_signed_in_customers_and_canceled_orders(guest: Caller) -> None:
    made = placed(status="canceled", canceled_at=now())
    by_ann = signed_in(CustomerFactory(email="ann@example.com"))
    assert guest.post(f"{LOOKUP}/{token_for(by_ann, made.display_id)}").json()["order"]["status"] == "canceled"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"email": GUEST}, "Field 'display_id' is required"),
        ({"display_id": 1}, "Field 'email' is required"),
        ({"display_id": True, "email": GUEST}, "Expected type: 'string' for field 'display_id', got: 'true'"),
        ({"display_id": 1.5, "email": GUEST}, "Expected type: 'string' for field 'display_id', got: '1.5'"),
    ],
)
def test_bad_bodies(body: dict[str, Any], message: str, guest: Caller) -> None:
    assert refusal(guest.post(LOOKUP, body)) == invalid_request(message)


@pytest.mark.parametrize(
    ("number", "email", "message"),
    [
        (" # ", GUEST, "Value for field 'display_id' must not be blank"),
        ("1\n2", GUEST, "Value for field 'display_id' must not contain control characters"),
        ("9" * 65, GUEST, "Value for field 'display_id' too long, expected at most: '64' characters"),
        (1, "guest", "Value for field 'email' is not an email address"),
    ],
)
def test_bad_values(number: Any, email: str, message: str, guest: Caller) -> None:
    assert refusal(ask(guest, number, email)) == (400, message)
    assert (OrderLookup.objects.count(), Mail.objects.filter(kind="order_lookup").count()) == (0, 0)


def test_huge_numbers_name_no_order(guest: Caller) -> None:
    assert ask(guest, "9" * 30).status_code == 202
    assert mailed() == []


# --- Limits ---


def test_requests_for_one_address_are_limited_alike(settings: Settings, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "order_lookups": (2, 10**9)}
    made = placed()
    for email in (GUEST, "nobody@example.com"):
        assert [ask(guest, made.display_id, email).status_code for _ in range(3)] == [202, 202, 429]
    assert ask(guest, made.display_id, "GUEST@example.com").status_code == 429


def test_requests_of_one_client_are_limited(settings: Settings, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (3, 10**9)}
    codes = [ask(guest, number, f"guest{number}@example.com").status_code for number in range(1, 5)]
    assert codes == [202, 202, 202, 429]


def test_wrong_tokens_of_one_client_are_limited(settings: Settings, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (3, 10**9)}
    assert [guest.post(f"{LOOKUP}/wrong{number}").status_code for number in range(4)] == [404, 404, 404, 429]


def test_what_a_stranger_stores_is_counted(settings: Settings, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "stored_kib": (2, 10**9)}
    codes = [ask(guest, number, f"guest{number}@example.com").status_code for number in range(1, 4)]
    assert codes == [202, 202, 429]


def test_emails_count_toward_the_limit_of_their_address(settings: Settings, guest: Caller) -> None:
    made = placed()
    settings.THROTTLES = {**settings.THROTTLES, "guest_mails": (1, 10**6)}
    ask(guest, made.display_id)
    ask(guest, made.display_id)
    assert len(mailed()) == 1
    assert sorted(each.status for each in Mail.objects.filter(kind="order_lookup")) == ["sent", "waiting"]


def test_requests_are_pruned_when_a_day_is_over_and_their_token_too(guest: Caller) -> None:
    token_for(guest, placed().display_id)
    ask(guest, 999)
    OrderLookup.objects.update(created_at=now() - timedelta(days=1, seconds=1))
    assert discard_expired() == 1
    OrderLookup.objects.update(expires_at=now() - timedelta(seconds=1))
    assert discard_expired() == 1
    ask(guest, 999)
    assert discard_expired() == 0


def test_an_erasure_ends_the_token_and_clears_the_record_of_the_email(guest: Caller) -> None:
    made = placed(status="canceled", canceled_at=now())
    token = token_for(guest, made.display_id)
    erase(actor=SYSTEM, person=guest_person(GUEST))
    assert outcome(guest, token) == unknown(token)
    assert set(Mail.objects.values_list("recipient", "recipient_digest")) == {("", "")}


def test_an_email_that_is_sent_late_finds_the_order_as_it_is_then(guest: Caller) -> None:
    made = placed()
    ask(guest, made.display_id)
    Order.objects.update(erasure_requested_at=now())
    send_due()
    assert mail.outbox == []
