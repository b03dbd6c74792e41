"""What clients may store: new carts, new lines and KiB, counted by client address, over both transports."""

import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from carts.models import Cart, LineItem
from kit.rest import storage_limits
from kit.safety.idempotency.models import Record
from kit.safety.throttling.models import Counter
from kit.safety.throttling.windows import current
from tests.auth.api.test_origins import staff_token
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.carts import cart, default_region, sold_variant
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.payments import payable_cart
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "storefront-secret-0123456789-abcdef"
FOREVER = 10**9
KEY = {"idempotency-key": "a-key-that-nobody-guesses"}
CREATE = "mutation ($items: [LineItemInput!]) { createCart(input: {items: $items}) { cart { id } } }"


@pytest.fixture(autouse=True)
def limits(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_limits, "randbelow", lambda most: most - 1)  # remainders of a KiB are lucky
    settings.THROTTLES = settings.THROTTLES | {
        "new_carts": (3, FOREVER),
        "new_lines": (10, FOREVER),
        "stored_kib": (20, FOREVER),
    }


@pytest.fixture
def store() -> Caller:
    default_region()
    return storefront(publishable_key())


def counts(address: str = "127.0.0.1") -> dict[str, int]:
    """The counts of the address, without those of zero."""
    throttles = ("new_carts", "new_lines", "stored_kib")
    windows = zip(throttles, current(dict.fromkeys(throttles, address)), strict=True)
    kept = dict(Counter.objects.values_list("digest", "count"))
    return {throttle: kept[window.digest] for throttle, window in windows if window.digest in kept}


def items(number: int) -> list[dict[str, Any]]:
    variant = sold_variant()
    return [{"variant_id": variant.pk, "quantity": 1, "metadata": {"n": each}} for each in range(number)]


def passed_on(address: str) -> dict[str, str]:
    signed = f"{address};t={int(time.time())}"
    return {"x-client-address": f"{signed};s={hmac.digest(SECRET.encode(), signed.encode(), 'sha256').hex()}"}


def test_the_cart_beyond_the_limit_is_refused_with_the_seconds_left(store: Caller) -> None:
    assert [store.post("/store/carts", {}).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = store.post("/store/carts", {})
    assert refused.json() == {"type": "not_allowed", "message": "Too many attempts, try again later"}
    assert 0 < int(refused["Retry-After"]) <= FOREVER
    assert (Cart.objects.count(), counts()) == (3, {"new_carts": 3})


def test_the_lines_of_a_body_count_all_or_none(store: Caller) -> None:
    assert store.post("/store/carts", {"items": items(8)}).status_code == 200
    assert store.post("/store/carts", {"items": items(3)}).status_code == 429
    assert counts() == {"new_carts": 1, "new_lines": 8}
    assert store.post("/store/carts", {"items": items(2)}).status_code == 200
    assert (Cart.objects.count(), LineItem.objects.count()) == (2, 10)
    path = f"/store/carts/{Cart.objects.earliest('created_at').pk}"
    assert store.post(f"{path}/line-items", items(1)[0]).status_code == 429
    assert store.post(path, {"email": "ann@example.com"}).status_code == 200


def test_graphql_counts_alike_and_answers_with_the_status(store: Caller) -> None:
    assert "errors" not in ask(store, CREATE, {"items": [_camel(each) for each in items(8)]}).json()
    refused = ask(store, CREATE, {"items": [_camel(each) for each in items(3)]})
    assert (refused.status_code, refused.json()["type"]) == (429, "not_allowed")
    assert int(refused["Retry-After"]) > 0
    several = "mutation { a: createCart(input: {}) { cart { id } } b: createCart(input: {}) { cart { id } } }"
    assert ask(store, several).status_code == 200
    assert ask(store, several).status_code == 429
    assert (Cart.objects.count(), counts()) == (3, {"new_carts": 3, "new_lines": 8})


def test_customers_count_and_staff_do_not(store: Caller) -> None:
    customer = CustomerFactory()
    signed_in = Caller(**store.headers, Authorization=f"Bearer {token_of(customer)}")
    assert [signed_in.post("/store/carts", {}).status_code for _ in range(4)] == [200, 200, 200, 429]
    user = UserFactory(is_superuser=True)
    for credential in (staff_token(user), secret_key(user).token):
        staff = Caller(**store.headers, Authorization=f"Bearer {credential}")
        assert staff.post("/store/carts", {}).status_code == 200
        assert ask(staff, CREATE, {"items": []}).status_code == 200
    assert counts() == {"new_carts": 3}


def test_an_address_that_a_storefront_passes_on_counts_in_the_place_of_its_own(
    store: Caller, settings: Settings
) -> None:
    settings.CLIENT_ADDRESS_SECRET = SECRET
    ann, bob = passed_on("203.0.113.7"), passed_on("203.0.113.8")
    assert [store.post("/store/carts", {}, **ann).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert store.post("/store/carts", {}, **bob).status_code == 200
    forged = {"x-client-address": passed_on("203.0.113.9")["x-client-address"][:-4] + "0000"}
    assert store.post("/store/carts", {}, **forged).status_code == 200
    assert [counts(address) for address in ("203.0.113.7", "203.0.113.8", "203.0.113.9", "127.0.0.1")] == [
        {"new_carts": 3}, {"new_carts": 1}, {}, {"new_carts": 1},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "statuses", "counted"),
    [
        ({"email": "ann@example.com"}, [200, 200, 200], {}),
        ({"metadata": {"note": "n" * 6000}}, [200, 200, 200], {"stored_kib": 15}),
        ({"shipping_address": {"metadata": {"note": "n" * 9000}}}, [200, 200, 429], {"stored_kib": 16}),
    ],
)
def test_each_full_kib_of_a_body_counts(
    body: Mapping[str, object], statuses: list[int], counted: Mapping[str, int], store: Caller
) -> None:
    path = f"/store/carts/{cart(sold_variant()).pk}"
    assert [store.post(path, body).status_code for _ in range(3)] == statuses
    assert counts() == counted


def test_a_large_invalid_body_uses_up_nothing_for_others_at_the_address(store: Caller) -> None:
    path = f"/store/carts/{cart(sold_variant()).pk}"
    refused = store.post(path, {"shipping_address": {"first_name": "n" * 50_000}})
    assert (refused.status_code, counts()) == (400, {})
    assert store.post(path, {"metadata": {"note": "n" * 6000}}).status_code == 200


def test_a_document_counts_the_kib_of_its_arguments_and_not_those_of_its_text(store: Caller) -> None:
    made = cart(sold_variant())
    change = 'mutation ($input: CartChangeInput!) { updateCart(id: "%s", input: $input) { cart { id } } } #%s'
    for metadata, kib in (({}, {}), ({"note": "n" * 5000}, {"stored_kib": 4})):
        response = ask(store, change % (made.pk, "c" * 3000), {"input": {"metadata": metadata}})
        assert (response.status_code, counts()) == (200, kib)


def test_arguments_that_no_json_can_hold_count_as_the_whole_document(store: Caller) -> None:
    change = (
        'mutation { addLineItem(id: "c", input: {variantId: "v", quantity: 1, metadata: {a: %s}}) { cart { id } } }'
    )
    for value in ("9" * 2000, "{a: " * 300 + "1" + "}" * 300):
        assert ask(store, change % value).status_code in (200, 400)


@pytest.mark.parametrize("over", ["rest", "rest with escapes", "graphql"])
def test_metadata_that_adds_up_counts_by_chance_however_small_its_pieces(
    over: str, store: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_limits, "randbelow", lambda most: 900)
    made = cart(sold_variant())

    def merge(metadata: Mapping[str, str]) -> None:
        if over == "graphql":
            change = 'mutation ($input: CartChangeInput!) { updateCart(id: "%s", input: $input) { cart { id } } }'
            assert "errors" not in ask(store, change % made.pk, {"input": {"metadata": metadata}}).json()
            return
        body = json.dumps({"metadata": metadata}, separators=(",", ":"))
        text = body.replace("metadata", "met\\u0061data") if over == "rest with escapes" else body
        response = Client(headers=store.headers).post(f"/store/carts/{made.pk}", text, "application/json")
        assert response.status_code == 200

    merge({"a": "n" * 700})
    assert counts() == {}
    merge({"b": "n" * 950})
    assert counts() == {"stored_kib": 1}
    merge({"c": "n" * 1500})
    assert counts() == {"stored_kib": 2}  # of the 1,024 bytes, and not of the rest


def test_a_literal_beyond_64_bits_is_refused_in_metadata_and_counts(store: Caller) -> None:
    change = 'mutation { updateCart(id: "%s", input: {metadata: {n: %s}}) { cart { id } } }'
    response = ask(store, change % (cart(sold_variant()).pk, "9" * 4000))
    assert response.status_code == 200
    assert response.json()["errors"][0]["message"] == "Value for field 'metadata' holds a number beyond 64 bits"
    assert counts() == {"stored_kib": 3}


def test_a_stored_response_counts_by_its_size_and_a_replay_only_its_key(store: Caller) -> None:
    made = cart(sold_variant())
    noise = "".join(f"{number:x}" for number in range(900))  # 2.3 KB, which compress to less
    for _ in range(2):
        assert store.post(f"/store/carts/{made.pk}", {"metadata": {"n": noise}}, **KEY).status_code == 200
    record = Record.objects.get()
    size = len(record.body) + len(record.mentions)
    assert size > 2048
    body = 2 * (len(noise) // 1024)
    assert counts() == {"stored_kib": body + size // 1024 + 1}


def test_a_large_response_uses_up_what_is_left(store: Caller, settings: Settings) -> None:
    settings.THROTTLES = settings.THROTTLES | {"stored_kib": (2, FOREVER)}
    made = cart(*(sold_variant() for _ in range(40)))
    keys = [{"idempotency-key": f"{number}-a-key-that-nobody-guesses"} for number in range(2)]
    answers = [store.post(f"/store/carts/{made.pk}", {}, **key) for key in keys]
    assert [each.status_code for each in answers] == [200, 429]
    assert counts()["stored_kib"] > 2
    assert store.post("/store/carts", {}).status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/store/customers/me/addresses", {"city": "Ulm"}),
        ("/auth/customer/emailpass/register", {"email": "new@example.com", "password": "corn-Poppy-1989"}),
        ("/auth/customer/emailpass/reset-password", {"identifier": "ann@example.com"}),
        ("/auth/session", {}),
        ("SESSIONS", {"provider_id": "pp_system_default"}),
    ],
)
def test_a_row_counts_as_a_kib(path: str, body: Mapping[str, object], store: Caller) -> None:
    caller = Caller(**store.headers, Authorization=f"Bearer {token_of(CustomerFactory())}")
    if path == "SESSIONS":
        opened = caller.post("/store/payment-collections", {"cart_id": payable_cart(10).pk}).json()
        path = f"/store/payment-collections/{opened['payment_collection']['id']}/payment-sessions"
    assert caller.post(path, body).status_code in (200, 201)
    assert counts() == {"stored_kib": 1}


def test_reading_removing_and_small_changes_cost_no_statement(store: Caller) -> None:
    made = cart(sold_variant(), sold_variant())
    path = f"/store/carts/{made.pk}"
    store.get(path)
    store.post(f"{path}/line-items/{made.items.earliest('pk').pk}", {"quantity": 2})
    store.send("DELETE", f"{path}/line-items/{made.items.latest('pk').pk}")
    assert not Counter.objects.exists()


def _camel(item: Mapping[str, object]) -> dict[str, object]:
    return {"variantId": item["variant_id"], "quantity": item["quantity"], "metadata": item["metadata"]}
