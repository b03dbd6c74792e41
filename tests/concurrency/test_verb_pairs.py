"""Every pair of verbs of orders and payments, and each with itself, on one order: no deadlock.

Of a pair, the first verb stands still after its first lock, and the second goes on until it has ended or waits for the
first. Where it waits, they are done: at each later stop the first would hold more, and the second would wait earlier,
holding less. Where it ends, both begin again, and the first stands still after its last lock: where the second ends
then too, they share no lock. Otherwise the stops between follow one by one. So all ways in which their locks can meet
are seen, most of them with the order's lock, in one run. The first verb is the one that locks less: each pair needs one
direction. What follows the answer of a provider is a verb of its own. Verbs that lock the order and then write only its
own rows meet each other, and one of them meets all others for them (tests/concurrency/pairs/circles.py). Of these
pairs, `make test` runs each verb with itself, and every fifth other; in `make nightly`, each meets all others.
"""

import copy
from collections.abc import Iterator
from functools import partial
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from django.db import connection

from fulfillment.providers import registry as fulfillment_providers
from payments.providers import registry as payment_providers
from tests.books import disagreements
from tests.concurrency.pairs.checkpoint import Checkpoint
from tests.concurrency.pairs.circles import meet
from tests.concurrency.pairs.meetings import Meetings, Pause, meetings
from tests.concurrency.pairs.scenes import CANCELED, CLOSED, DELIVERED, EXCHANGED, LOCAL, PACKED, PAID, Shop, scene
from tests.concurrency.pairs.verbs import VERBS, WRITING_PEOPLE
from tests.orders.fulfillments.carrier import CARRIER, Carrier, at_work
from tests.payments.providers import FAKE, FakeProvider, switched_on
from tests.walks import LONG

pytestmark = [
    pytest.mark.every(3),
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.usefixtures("seen_deadlocks"),
]

_SAMPLE = 5
STATES = (PACKED, PAID, CANCELED, DELIVERED, LOCAL, EXCHANGED, CLOSED)


@pytest.fixture
def shop(transactional_db: None, settings: Any) -> Iterator[Shop]:
    """With the providers that are loaded once both are switched on."""
    with switched_on(settings), at_work(settings):
        fake, carrier = payment_providers.provider(FAKE), fulfillment_providers.provider(CARRIER)
        assert isinstance(fake, FakeProvider)
        assert isinstance(carrier, Carrier)
        yield Shop(fake, carrier)


def test_no_two_verbs_wait_for_each_other(shop: Shop, settings: Any) -> None:
    """Shipping captures, which locks more than the order. What orders owe does not keep them from being packed."""
    settings.CAPTURE_ON, settings.FULFILL_UNPAID = "ship", True
    before = deadlocks()
    with meetings() as place:
        stage = Stage(shop, place)
        assert [problem for name in VERBS for problem in stage.rehearse(name)] == []
        pairs = [*filter(_has_state, combinations_with_replacement(VERBS, 2))] if LONG else sample()
        assert [problem for pair in pairs for problem in stage.problems(*pair)] == []
        assert stage.end() == []
    assert deadlocks() == before


class Stage:
    """An order in each state. All of them are as they were before each run."""

    def __init__(self, shop: Shop, place: Meetings) -> None:
        self._place, self._provider = place, shop.fake
        self._scenes = {state: scene(shop, state) for state in STATES}
        self._checkpoint = Checkpoint()
        self._books = copy.deepcopy(vars(shop.fake))
        self._locks: dict[tuple[str, str], int] = {}

    def rehearse(self, name: str) -> Iterator[tuple[Any, ...]]:
        """Run the verb alone in each state; yields where it does not do its work although it is for that state."""
        verb = VERBS[name]
        for state, at in self._scenes.items():
            outcome, locks = self._place.alone(partial(verb.run, at), transaction=verb.transaction)
            self._locks[name, state] = locks
            if state in verb.states and (outcome, locks > 0) != (verb.outcome, verb.transaction > 0):
                yield name, state, outcome, locks
            self._begin_again(name)

    def problems(self, one: str, other: str) -> Iterator[tuple[Any, ...]]:
        """What is wrong with the pair: its verbs, where the first one stood, what was raised, what the books say."""
        state = _state(one, other)
        one, other = sorted((one, other), key=lambda name: self._locks[name, state])
        first, second = (partial(VERBS[name].run, self._scenes[state]) for name in (one, other))
        last = max(self._locks[one, state], 1)
        for at in dict.fromkeys((1, last, *range(2, last))):
            met = self._place.meet(first, second, Pause(at, transaction=VERBS[one].transaction))
            errors = [repr(outcome) for outcome in met.outcomes if not isinstance(outcome, str)]
            if errors or not self._checkpoint.books_agree():
                yield state, one, at, other, *errors, *disagreements()
            self._begin_again(one, other)
            if met.waited != (at == last and at > 1):
                return

    def end(self) -> list[str]:
        """The tables in which a run has left something behind."""
        self._checkpoint.close()
        return self._checkpoint.changed()

    def _begin_again(self, *names: str) -> None:
        self._checkpoint.restore(with_people=not WRITING_PEOPLE.isdisjoint(names))
        vars(self._provider).update(copy.deepcopy(self._books))


def sample() -> list[tuple[str, str]]:
    """The pairs of the short form."""
    others = [pair for pair in combinations(VERBS, 2) if meet(*pair)]
    return [*((name, name) for name in VERBS if meet(name, name)), *others[::_SAMPLE]]


def _has_state(pair: tuple[str, str]) -> bool:
    """Whether both can be called in the pair's state. There is nothing to answer where no request has been recorded."""
    one, other = pair
    return "answer" not in (one, other) or _state(one, other) in VERBS["answer"].states


def _state(one: str, other: str) -> str:
    """Where both do their work; else the last of the states where either does."""
    common = [state for state in STATES if state in VERBS[one].states and state in VERBS[other].states]
    return common[0] if common else max((*VERBS[one].states, *VERBS[other].states), key=STATES.index)


def deadlocks() -> int:
    """As PostgreSQL counts them, in this database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
