"""Guessing codes is slow: those who miss too often learn nothing, not even of a right guess."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet
from django.http import HttpResponse

from customers.models import Customer
from giftcards.models import StoreCreditAccount
from kit.safety.throttling.models import Counter
from kit.safety.throttling.windows import current
from tests.auth.conftest import limits
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.giftcards import gift_card
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized
from tests.operations.redis_server import redis_for

pytestmark = pytest.mark.django_db

Settings = Any
Guess = Callable[[Caller, str], HttpResponse]
TOO_MANY = {"type": "not_allowed", "message": "Too many attempts, try again later"}


@pytest.fixture(autouse=True)
def narrow(settings: Settings) -> None:
    """Three misses of a customer, five of an address, in windows that do not turn in the middle of a test."""
    settings.THROTTLES = {**limits(account=100, client=5), "gift_card_misses": (3, 10**9)}


def _cart() -> str:
    return f"/store/carts/{make.cart(make.sold_variant()).pk}/gift-cards"


def _post_card(caller: Caller, code: str) -> HttpResponse:
    return caller.post(_cart(), {"code": code})


def _delete_card(caller: Caller, code: str) -> HttpResponse:
    return caller.send("DELETE", _cart(), {"code": code})


GUESSES: dict[str, Guess] = {
    "read": lambda caller, code: caller.get(f"/store/gift-cards/{code}"),
    "redeem": lambda caller, code: caller.post(f"/store/gift-cards/{code}/redeem"),
    "redeem with a key": lambda caller, code: caller.post(
        f"/store/gift-cards/{code}/redeem", Idempotency_Key=f"key-of-{code}-and-more"
    ),
    "put on a cart": _post_card,
    "take off a cart": _delete_card,
}
DOCUMENTS = {
    "read": '{{ giftCard(idOrCode: "{code}") {{ value }} }}',
    "redeem": 'mutation {{ redeemGiftCard(idOrCode: "{code}") {{ giftCard {{ value }} }} }}',
    "put on a cart": (
        'mutation {{ addGiftCardToCart(id: "{cart}", input: {{code: "{code}"}}) {{ cart {{ total }} }} }}'
    ),
    "take off a cart": (
        'mutation {{ removeGiftCardFromCart(id: "{cart}", input: {{code: "{code}"}}) {{ cart {{ total }} }} }}'
    ),
}


@pytest.mark.parametrize("guess", GUESSES)
def test_a_customer_who_has_missed_too_often_is_refused_even_with_the_right_code(guess: str, by_ann: Caller) -> None:
    card, codes = gift_card(), [f"GIFT-{number}" for number in range(3)]
    assert [GUESSES[guess](by_ann, code).status_code for code in codes] == [404, 404, 404]
    refused = GUESSES[guess](by_ann, card.code)
    assert (refused.status_code, refused.json()) == (429, TOO_MANY)
    assert int(refused["Retry-After"]) > 0
    card.refresh_from_db()
    assert (card.status, StoreCreditAccount.objects.count()) == ("pending", 0)


@pytest.mark.parametrize("guess", [guess for guess in GUESSES if not guess.startswith("redeem")])
def test_an_address_that_has_missed_too_often_is_refused(guess: str, anybody: Caller) -> None:
    card = gift_card()
    assert [GUESSES[guess](anybody, f"GIFT-{number}").status_code for number in range(5)] == [404] * 5
    assert GUESSES[guess](anybody, card.code).status_code == 429


def test_all_ways_to_guess_share_a_limit(by_ann: Caller, by_bob: Caller) -> None:
    card = gift_card()
    for guess in ("read", "redeem", "put on a cart"):
        assert GUESSES[guess](by_ann, f"GIFT-{guess}").status_code == 404
    for guess in GUESSES.values():
        assert guess(by_ann, card.code).status_code == 429
    document = DOCUMENTS["read"].format(code=card.code)
    ((field, message, extensions),) = failures(ask(by_ann, document))
    assert (field, message, extensions["type"]) == ("giftCard", TOO_MANY["message"], "not_allowed")
    assert int(extensions["retryAfter"]) > 0
    assert GUESSES["read"](by_bob, card.code).status_code == 200


@pytest.mark.parametrize("with_key", [False, True])
@pytest.mark.parametrize("document", DOCUMENTS)
def test_graphql_counts_too(document: str, with_key: bool, by_ann: Caller) -> None:
    card, cart = gift_card(), make.cart(make.sold_variant()).pk

    def guess(code: str) -> tuple[str, Any]:
        headers = {"Idempotency_Key": f"key-of-{code}-and-more"} if with_key else {}
        answer = ask(by_ann, DOCUMENTS[document].format(code=code, cart=cart), **headers).json()["errors"][0]
        return answer["message"], answer["extensions"]["type"]

    for number in range(3):
        assert guess(f"GIFT-{number}") == (f"Gift card with id: GIFT-{number} was not found", "not_found")
    assert guess(card.code) == (TOO_MANY["message"], "not_allowed")
    card.refresh_from_db()
    assert card.status == "pending"


def test_each_guess_of_one_document_counts_before_the_next(by_ann: Caller) -> None:
    card = gift_card()
    codes = [*(f"GIFT-{number}" for number in range(3)), card.code]
    fields = " ".join(f'g{number}: giftCard(idOrCode: "{code}") {{ value }}' for number, code in enumerate(codes))
    answer = ask(by_ann, f"{{ {fields} }}").json()
    assert answer["data"] == {"g0": None, "g1": None, "g2": None, "g3": None}
    types = {error["path"][0]: error["extensions"]["type"] for error in answer["errors"]}
    assert types == {"g0": "not_found", "g1": "not_found", "g2": "not_found", "g3": "not_allowed"}


def test_a_code_that_one_document_names_often_counts_once(by_ann: Caller) -> None:
    written = ["GIFT-1", "gift-1", " GIFT-1 ", "GIFT-2"]
    fields = " ".join(f'g{number}: giftCard(idOrCode: "{code}") {{ value }}' for number, code in enumerate(written))
    answer = ask(by_ann, f"{{ {fields} }}").json()
    assert {error["extensions"]["type"] for error in answer["errors"]} == {"not_found"}
    assert Counter.objects.get().count == 2


def test_a_document_is_cut_off_at_the_limit_though_it_names_a_counted_code_again(by_ann: Caller) -> None:
    codes = ["GIFT-1", "GIFT-2", "GIFT-3", "GIFT-1"]
    fields = " ".join(f'g{number}: giftCard(idOrCode: "{code}") {{ value }}' for number, code in enumerate(codes))
    answer = ask(by_ann, f"{{ {fields} }}").json()
    assert [error["extensions"]["type"] for error in answer["errors"]] == [*["not_found"] * 3, "not_allowed"]
    assert Counter.objects.get().count == 3


def misses() -> QuerySet[Counter]:
    """The counters but for that of what an Idempotency-Key stores."""
    return Counter.objects.exclude(pk__in=[window.digest for window in current({"stored_kib": "127.0.0.1"})])


def test_a_replayed_miss_is_no_further_guess(by_ann: Caller) -> None:
    card = gift_card()
    for _ in range(5):
        missed = GUESSES["redeem with a key"](by_ann, "GIFT-NONE")
        assert (missed.status_code, missed.json()["type"]) == (404, "not_found")
    assert misses().get().count == 1
    assert GUESSES["redeem"](by_ann, card.code).status_code == 200


def test_nothing_but_a_miss_counts(by_ann: Caller, by_bob: Caller, ann: Customer) -> None:
    redeemed, own = gift_card(), gift_card(customer_id=ann.pk)
    GUESSES["redeem"](by_bob, redeemed.code)
    for _ in range(4):
        assert GUESSES["read"](by_ann, own.code).status_code == 200
        assert GUESSES["redeem"](by_ann, redeemed.code).status_code == 400
        assert by_ann.get(f"/store/gift-cards/{own.code}", "fields=nope").status_code == 400
        assert by_ann.post("/store/carts/cart_01NONE/gift-cards", {"code": "GIFT-NONE"}).status_code == 404
        assert by_ann.send("DELETE", "/store/carts/cart_01NONE/gift-cards", {"code": "GIFT-NONE"}).status_code == 404
        assert GUESSES["redeem with a key"](by_ann, redeemed.code).status_code == 400
        unknown_cart = by_ann.post("/store/carts/cart_01NONE/gift-cards", {"code": own.code}, Idempotency_Key="k" * 20)
        assert unknown_cart.status_code == 404
        assert by_ann.get("/store/store-credit-accounts/sc_acc_01NONE").status_code == 404
        assert failures(ask(by_ann, '{ storeCreditAccount(id: "sc_acc_01NONE") { id } }'))
    assert not misses().exists()
    assert data(ask(by_ann, DOCUMENTS["read"].format(code=own.code))) == {"giftCard": {"value": 50}}


def test_who_has_not_signed_in_is_reported_that_first(anybody: Caller) -> None:
    for number in range(5):
        GUESSES["read"](anybody, f"GIFT-{number}")
    assert GUESSES["redeem"](anybody, gift_card().code).status_code == 401
    assert is_unauthorized(ask(anybody, DOCUMENTS["redeem"].format(code="GIFT-1")))
    assert anybody.send("OPTIONS", "/store/gift-cards/GIFT-1").status_code == 204


@pytest.mark.servers("redis-server")
def test_the_misses_are_counted_in_redis_where_it_is_set(by_ann: Caller, settings: Settings) -> None:
    card = gift_card()
    with redis_for(settings, "THROTTLES_IN_REDIS"):
        for number in range(3):
            assert GUESSES["read"](by_ann, f"GIFT-{number}").status_code == 404
        refused = GUESSES["read"](by_ann, card.code)
    assert (refused.status_code, refused.json()) == (429, TOO_MANY)
    assert int(refused["Retry-After"]) > 0
    assert not Counter.objects.exists()
