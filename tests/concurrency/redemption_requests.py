"""What many send at once to redeem gift cards over HTTP, and what must hold then of the answers and of the ledger."""

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from django.db import connection

from customers.models import Customer
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.verification.verification import discrepancies
from tests.concurrency.running_server import Answered, RunningServer, Sent
from tests.factories.customers import token_of
from tests.factories.giftcards import gift_card

REDEEMED = {"type": "not_allowed", "message": "Gift card is already redeemed"}
CONFLICT = {
    "code": "unknown_error",
    "type": "QueryRunnerAlreadyReleasedError",
    "message": "The request conflicted with another request. "
    "You may retry the request with the provided Idempotency-Key.",
}
VALUE = Decimal(50)
_TRIES = 20


def redemption(card: GiftCard, customer: Customer, key: str | None = None) -> Sent:
    """The request that redeems the card for the customer."""
    headers = {"Authorization": f"Bearer {token_of(customer)}"} | ({"Idempotency-Key": key} if key else {})
    return Sent(f"/store/gift-cards/{card.code}/redeem", headers=headers)


def answers_of(server: RunningServer, requests: Callable[[int], Sent], *, number: int) -> list[Answered]:
    """The answers to all that was sent at once.

    SQLite has one writer, and may keep another waiting too long: it gets an error, and sends its request once more.
    """
    sent = [requests(turn) for turn in range(number)]
    answers = server.at_once(sent.__getitem__, number=number)
    if connection.vendor == "sqlite":
        return [_settled(server, *pair) for pair in zip(sent, answers, strict=True)]
    return answers


def _settled(server: RunningServer, request: Sent, answer: Answered) -> Answered:
    for _ in range(_TRIES):
        if answer.status != 409:
            break
        assert answer.body == CONFLICT
        answer = server.send(request)
    return answer


def prove_one_credit(server: RunningServer, customers: Sequence[Customer], *, number: int) -> None:
    """A card that customers redeem so many times at once becomes credit of one of them; all others are refused."""
    card = gift_card(VALUE)
    requests = [redemption(card, customers[turn % len(customers)]) for turn in range(number)]
    answers = answers_of(server, requests.__getitem__, number=number)
    refused = [answer for answer in answers if answer.status != 200]
    assert _statuses(answers) == {200: 1, 400: number - 1}
    assert all(answer.body == REDEEMED for answer in refused)
    (winner,) = (turn % len(customers) for turn, answer in enumerate(answers) if answer.status == 200)
    check_credits({customers[winner]: [card]})


def prove_one_credit_of_key(server: RunningServer, customers: Sequence[Customer], *, number: int) -> None:
    """The same, each customer with one Idempotency-Key: sent again, it gets the same answer."""
    card = gift_card(VALUE)
    requests = [redemption(card, customers[turn % len(customers)], "one-key-for-all") for turn in range(number)]
    answers = answers_of(server, requests.__getitem__, number=number)
    reported = [answers[first :: len(customers)] for first in range(len(customers))]
    assert [_differing(each) for each in reported] == [0] * len(customers)
    outcomes = [each[0] for each in reported]
    assert _statuses(outcomes) == Counter({200: 1, 400: len(customers) - 1})
    replayed = Counter("idempotent-replayed" in answer.headers for answer in answers)
    assert replayed == Counter({False: len(customers), True: number - len(customers)})
    (winner,) = (turn for turn, answer in enumerate(outcomes) if answer.status == 200)
    check_credits({customers[winner]: [card]})


def check_credits(redeemed: dict[Customer, list[GiftCard]]) -> None:
    """Each of these cards, and no other, is credited once, to an account that its customer has; the ledger agrees."""
    assert {each.pk: list(_credited(each)) for each in redeemed} == {
        customer.pk: sorted(card.pk for card in cards) for customer, cards in redeemed.items()
    }
    assert Transaction.objects.count() == sum(map(len, redeemed.values()))
    kept = {account.customer_id: account.credits - account.debits for account in StoreCreditAccount.objects.all()}
    assert kept == {each.pk: sum(card.value for card in cards) for each, cards in redeemed.items()}
    assert StoreCreditAccount.objects.count() == len(redeemed)
    assert list(discrepancies()) == []


def _credited(customer: Customer) -> Any:
    own = Transaction.objects.filter(group__account__customer=customer, type="credit", reference="gift_card")
    return own.order_by("reference_id").values_list("reference_id", flat=True)


def _differing(answers: Sequence[Answered]) -> int:
    """How many are not as the first is."""
    first = answers[0]
    return sum((each.status, each.body) != (first.status, first.body) for each in answers)


def _statuses(answers: Sequence[Answered]) -> Counter[int]:
    return Counter(answer.status for answer in answers)
