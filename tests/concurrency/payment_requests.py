"""What many send at once to pay a cart, and what must hold then of the answers, of the rows and at the provider."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from carts.models import Cart
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, ProviderEvent
from payments.providers.registry import is_local
from payments.states import Act, SessionStatus
from shop.models import PaymentProvider
from tests.concurrency import crowd
from tests.concurrency.money_moves import tell_captured
from tests.concurrency.redemption_requests import CONFLICT
from tests.concurrency.running_server import Answered, RunningServer, Sent
from tests.crash.journal_provider import Journal
from tests.factories import payments as make

CROWD = 20
_TRIES = 40
Headers = Callable[[int], Mapping[str, str]]


def no_key(turn: int) -> Mapping[str, str]:
    return {}


def one_key(turn: int) -> Mapping[str, str]:
    return {"Idempotency-Key": "the-same-key-for-all-of-them"}


def key_each(turn: int) -> Mapping[str, str]:
    return {"Idempotency-Key": f"a-key-of-its-own-{turn:04}"}


def payable_cart(*provider_ids: str, amount: int = 100) -> Cart:
    """A cart of so many dollars, where these providers may be chosen."""
    cart = make.payable_cart(amount)
    cart.region.payment_providers.add(*map(provider, provider_ids))
    return cart


def provider(provider_id: str) -> str:
    """The id, which the shop knows from then on."""
    return PaymentProvider.objects.get_or_create(id=provider_id)[0].pk


def collection_request(cart: Cart, headers: Mapping[str, str]) -> Sent:
    return Sent("/store/payment-collections", {"cart_id": cart.pk}, headers)


def session_request(collection: PaymentCollection, provider_id: str, headers: Mapping[str, str]) -> Sent:
    path = f"/store/payment-collections/{collection.pk}/payment-sessions"
    return Sent(path, {"provider_id": provider_id}, headers)


@dataclass(frozen=True, slots=True)
class Answers:
    """first: of those that were sent at once. last: the same, where a conflict was sent again until it was none."""

    first: Sequence[Answered]
    last: Sequence[Answered]


def answers_of(server: RunningServer, requests: Callable[[int], Sent], *, number: int = CROWD) -> Answers:
    """A caller that gets a conflict sends its request again."""
    sent = [requests(turn) for turn in range(number)]
    first = server.at_once(sent.__getitem__, number=number)
    return Answers(first, [_settled(server, *pair) for pair in zip(sent, first, strict=True)])


def _settled(server: RunningServer, request: Sent, answer: Answered) -> Answered:
    for _ in range(_TRIES):
        if answer.status != 409:
            break
        assert answer.body == CONFLICT
        answer = server.send(request)
    return answer


def prove_one_collection(server: RunningServer, headers: Headers, *, number: int = CROWD) -> Answers:
    """A cart for which so many open a collection at once has one, and all get the same answer."""
    cart = payable_cart()
    answers = answers_of(server, lambda turn: collection_request(cart, headers(turn)), number=number)
    _demand_equal(answers.last)
    collection = PaymentCollection.objects.get()
    cart.refresh_from_db()
    assert answers.last[0].body["payment_collection"]["id"] == collection.pk == cart.payment_collection_id
    assert (collection.amount, collection.currency_id) == (100, "usd")
    return answers


def prove_one_session(
    server: RunningServer, journal: Journal, provider_id: str, headers: Headers, *, number: int = CROWD
) -> Answers:
    """A collection for which so many start the same session at once has one, which its provider was asked for once."""
    collection = make.collection(payable_cart(provider_id))
    answers = answers_of(server, lambda turn: session_request(collection, provider_id, headers(turn)), number=number)
    _demand_equal(answers.last)
    session = PaymentSession.objects.get()
    intent = Intent.objects.get()
    assert [each["id"] for each in answers.last[0].body["payment_collection"]["payment_sessions"]] == [session.pk]
    assert (intent.act, intent.result, intent.attempts) == ("start", "done", 1)
    assert journal.asked(session.pk) == {Act.START: 1}
    return answers


def prove_one_live_session(
    server: RunningServer, provider_ids: Sequence[str], *, number: int = CROWD
) -> PaymentCollection:
    """Of sessions that so many start at once, at these providers in turn, one is live; the others are called off."""
    collection = make.collection(payable_cart(*provider_ids))
    turns = cycle(provider_ids)
    requests = [session_request(collection, next(turns), {}) for _ in range(number)]
    answers = answers_of(server, requests.__getitem__, number=number)
    assert Counter(answer.status for answer in answers.last) == {200: number}
    shown = [answer.body["payment_collection"]["payment_sessions"] for answer in answers.last]
    assert list(map(len, shown)) == [1] * number
    check_sessions(collection)
    return collection


def prove_one_event(payment: Payment, *, number: int = CROWD) -> None:
    """That the provider has taken thirty counts once, however often and however much at once it tells so."""
    crowd.at_once(lambda _: tell_captured(payment), threads=number)
    event, taken = ProviderEvent.objects.get(), Capture.objects.get()
    payment.refresh_from_db()
    assert (event.event_id, event.session_id) == ("evt_1", payment.session_id)
    assert (payment.captured_amount, taken.amount) == (30, 30)


def check_sessions(collection: PaymentCollection) -> None:
    """One is live and for the amount due; each other is canceled, and its provider is asked once unless it is local."""
    live = PaymentSession.objects.get(collection=collection, deleted_at=None)
    others = PaymentSession.objects.filter(collection=collection).exclude(pk=live.pk)
    collection.refresh_from_db()
    assert live.status in ("pending", "requires_more")
    assert (live.amount, live.currency_id) == (collection.amount, collection.currency_id)
    assert set(others.values_list("status", flat=True)) <= {SessionStatus.CANCELED}
    ids = Intent.objects.filter(session__in=others, act=Act.CANCEL).values_list("session_id", flat=True)
    remote = [session.pk for session in others if not is_local(session.provider_id)]
    assert sorted(ids) == sorted(remote)
    assert not Intent.objects.filter(session=live).exclude(act__in=[Act.START, Act.UPDATE]).exists()


def _demand_equal(answers: Sequence[Answered]) -> None:
    assert Counter(answer.status for answer in answers) == {200: len(answers)}
    assert [answer.body for answer in answers] == [answers[0].body] * len(answers)
