"""Gift cards and store credit that many reach for at once, over HTTP and in several workers."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from carts.models import CreditLine
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.verification.verification import discrepancies
from tests.concurrency import debits
from tests.concurrency.redemption_requests import (
    CONFLICT,
    REDEEMED,
    answers_of,
    check_credits,
    prove_one_credit,
    prove_one_credit_of_key,
    redemption,
)
from tests.concurrency.running_server import RunningServer, Sent, running_server
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit

CROWD = 200
pytestmark = [pytest.mark.every(2), pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def running_impatiently(
    database_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """One that waits 300 ms for a lock, and so answers before a test ends its own wait for the answer."""
    environment = {**database_environment, "LOCK_TIMEOUT_MS": "300"}
    log = tmp_path_factory.mktemp("impatient") / "log"
    with running_server(environment, log=log, headers={}) as server:
        yield server


@pytest.fixture
def impatient_server(running_impatiently: RunningServer, transactional_db: None) -> RunningServer:
    return RunningServer(running_impatiently.port, headers={"x-publishable-api-key": publishable_key().token})


@pytest.mark.parametrize("customers", [1, 20])
def test_a_card_that_is_redeemed_by_many_requests_is_credited_once(server: RunningServer, customers: int) -> None:
    prove_one_credit(server, CustomerFactory.create_batch(customers), number=CROWD)


@pytest.mark.parametrize("customers", [1, 20])
def test_with_one_key_a_card_is_credited_once_and_each_customer_gets_the_same_answer(
    server: RunningServer, customers: int
) -> None:
    prove_one_credit_of_key(server, CustomerFactory.create_batch(customers), number=CROWD)


def test_new_cards_that_a_customer_redeems_at_once_all_go_to_one_new_account(server: RunningServer) -> None:
    ann = CustomerFactory()
    cards = [gift_card(value) for value in range(1, 21)]
    answers = answers_of(server, lambda turn: redemption(cards[turn], ann), number=len(cards))
    assert [answer.status for answer in answers] == [200] * len(cards)
    assert [answer.body["gift_card"]["id"] for answer in answers] == [card.pk for card in cards]
    check_credits({ann: cards})


def test_a_card_that_is_put_on_a_cart_many_times_at_once_is_one_credit_line(server: RunningServer) -> None:
    cart, card = make.cart(make.sold_variant(80)), gift_card(50)
    body, path = {"code": card.code}, f"/store/carts/{cart.pk}/gift-cards"
    answers = answers_of(server, lambda _: Sent(path, body), number=10)
    assert [answer.status for answer in answers] == [200] * 10
    assert [answer.body["cart"]["total"] for answer in answers] == [30] * 10
    line = CreditLine.objects.get()
    assert (line.cart_id, line.reference_id, line.amount) == (cart.pk, card.pk, 50)
    assert not Transaction.objects.exists()
    assert list(discrepancies()) == []


def test_of_debits_at_once_as_many_succeed_as_the_account_can_pay() -> None:
    """No route spends yet, so these are threads."""
    account = store_credit(CustomerFactory(), 100)
    assert Counter(debits.at_once(account, 30, number=20)) == {"spent": 3, "refused": 17}
    account.refresh_from_db()
    assert (account.credits, account.debits) == (100, 90)
    assert list(discrepancies()) == []


def test_a_lock_that_is_not_had_in_time_is_a_conflict_and_the_retry_with_the_key_succeeds(
    impatient_server: RunningServer,
) -> None:
    ann, card = CustomerFactory(), gift_card()
    request = redemption(card, ann, "a-key-of-anns")
    with locked(card):
        answer = impatient_server.send(request)
    assert (answer.status, answer.body) == (409, CONFLICT)
    succeeds_once(impatient_server, request)
    check_credits({ann: [card]})


def test_while_a_request_with_the_same_key_runs_another_is_a_conflict_and_is_replayed_later(
    impatient_server: RunningServer,
) -> None:
    ann, card = CustomerFactory(), gift_card()
    request = redemption(card, ann, "a-key-of-anns")
    with locked(card):
        answers = impatient_server.at_once(lambda _: request, number=5)
    assert [(answer.status, answer.body) for answer in answers] == [(409, CONFLICT)] * 5
    succeeds_once(impatient_server, request)
    check_credits({ann: [card]})


@pytest.mark.postgresql
@pytest.mark.parametrize("state", ["40001", "40P01"], ids=["serialization failure", "deadlock"])
def test_a_race_that_is_lost_again_and_again_is_a_conflict_and_the_retry_with_the_key_succeeds(
    server: RunningServer, state: str
) -> None:
    """The database says so at the very end of the work, three times: after the third the request is answered."""
    ann, card = CustomerFactory(), gift_card()
    request = redemption(card, ann, "a-key-of-anns")
    with connection.cursor() as cursor:
        cursor.execute("CREATE SEQUENCE lost_races")
        with instead_of_redeeming(f"PERFORM nextval('lost_races'); RAISE EXCEPTION USING ERRCODE = '{state}';"):
            answer = server.send(request)
        cursor.execute("SELECT last_value FROM lost_races")
        (tries,) = cursor.fetchone()
        cursor.execute("DROP SEQUENCE lost_races")
    assert (answer.status, answer.body) == (409, CONFLICT)
    assert tries == 3
    assert not StoreCreditAccount.objects.exists()
    succeeds_once(server, request)
    check_credits({ann: [card]})


@pytest.mark.postgresql
def test_a_connection_that_the_database_ends_in_the_middle_is_reported_and_the_retry_with_the_key_succeeds(
    server: RunningServer,
) -> None:
    ann, card = CustomerFactory(), gift_card()
    request = redemption(card, ann, "a-key-of-anns")
    with instead_of_redeeming("PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL;"):
        answer = server.send(request)
    message = "The database cannot be reached. You may retry the request with its Idempotency-Key"
    assert (answer.status, answer.body) == (503, {"type": "unavailable", "message": message})
    assert not StoreCreditAccount.objects.exists()
    succeeds_once(server, request)
    check_credits({ann: [card]})


@contextmanager
def instead_of_redeeming(work: str) -> Iterator[None]:
    """PostgreSQL does so where a redemption changes its card: the last that it does."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {work} END $$")
        cursor.execute("CREATE TRIGGER interrupt AFTER UPDATE ON giftcards_giftcard EXECUTE FUNCTION interrupt()")
        try:
            yield
        finally:
            cursor.execute("DROP FUNCTION interrupt CASCADE")


@contextmanager
def locked(card: GiftCard) -> Iterator[None]:
    """The card's row is locked; on SQLite the transaction alone locks all there is."""
    with transaction.atomic():
        GiftCard.objects.select_for_update().get(pk=card.pk)
        yield


def succeeds_once(server: RunningServer, request: Sent) -> None:
    """The request, sent again, does its work; sent again, with or without the key, it is refused."""
    first, second = server.send(request), server.send(request)
    assert (first.status, second.status) == (200, 200)
    assert first.body["gift_card"]["status"] == "redeemed"
    assert ["idempotent-replayed" in answer.headers for answer in (first, second)] == [False, True]
    assert second.body == first.body
    without_key = {name: value for name, value in (request.headers or {}).items() if name != "Idempotency-Key"}
    third = server.send(Sent(request.path, headers=without_key))
    assert (third.status, third.body) == (400, REDEEMED)
