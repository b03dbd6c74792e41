"""Clients that redeem one card after the other and repeat what a cut connection left unanswered."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple

import orjson

PAUSE_SECONDS = 0.05
ANSWER_SECONDS = 20.0
MAY_COME_AGAIN = frozenset({409, 503})
REDEEMED = {"type": "not_allowed", "message": "Gift card is already redeemed"}


class Card(NamedTuple):
    """key: the Idempotency-Key that it is redeemed with, if any."""

    id: str
    code: str
    customer_id: str
    token: str
    key: str | None


@dataclass(slots=True)
class Outcome:
    """What became of a card. tries: how many requests it took. unheard: how many of them had no certain answer."""

    card: Card
    status: int
    body: Any
    tries: int
    unheard: int
    is_replayed: bool

    @property
    def is_right(self) -> bool:
        """200; without a key also the refusal of a card that an unheard request has redeemed."""
        if self.status == 200:
            return bool(self.body["gift_card"]["id"] == self.card.id)
        return not self.card.key and self.unheard > 0 and (self.status, self.body) == (400, REDEEMED)


@dataclass(slots=True)
class Crowd:
    """So many clients at the port, who share the cards. `outcomes` grow while they work."""

    port: int
    publishable: str
    deadline: float
    outcomes: list[Outcome] = field(default_factory=list)

    def redeem(self, cards: Sequence[Card], *, clients: int, while_they_work: Callable[[], None]) -> None:
        """Redeem all of them. Raises TimeoutError once the deadline has passed."""
        left = _Shared(iter(cards))
        threads = [threading.Thread(target=self._work, args=(left,), daemon=True) for _ in range(clients)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            while_they_work()
        if len(self.outcomes) < len(cards):
            raise TimeoutError(f"{len(self.outcomes)} of {len(cards)} cards were redeemed in time")

    def _work(self, cards: "_Shared") -> None:
        client = Client(self.port, self.publishable, self.deadline)
        for card in cards:
            outcome = client.redeem(card)
            if outcome is None:
                return
            self.outcomes.append(outcome)


class Client:
    """One connection, renewed whenever it breaks."""

    def __init__(self, port: int, publishable: str, deadline: float) -> None:
        self._web = HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
        self._publishable = publishable
        self._deadline = deadline

    def redeem(self, card: Card) -> Outcome | None:
        """The final answer; None where there was none before the deadline."""
        tries = unheard = 0
        while time.monotonic() < self._deadline:
            tries += 1
            try:
                status, is_replayed, text = self._send(card)
            except (OSError, HTTPException):
                self._web.close()
                unheard += 1
            else:
                if status not in MAY_COME_AGAIN:
                    return Outcome(card, status, orjson.loads(text), tries, unheard, is_replayed)
                unheard += status == 503
            time.sleep(PAUSE_SECONDS)
        return None

    def _send(self, card: Card) -> tuple[int, bool, bytes]:
        headers = {"x-publishable-api-key": self._publishable, "Authorization": f"Bearer {card.token}"}
        if card.key:
            headers["Idempotency-Key"] = card.key
        self._web.request("POST", f"/store/gift-cards/{card.code}/redeem", headers=headers)
        answer = self._web.getresponse()
        return answer.status, answer.getheader("Idempotent-Replayed") == "true", answer.read()


class _Shared:
    """An iterator for many threads."""

    def __init__(self, cards: Iterator[Card]) -> None:
        self._cards = cards
        self._lock = threading.Lock()

    def __iter__(self) -> "_Shared":
        return self

    def __next__(self) -> Card:
        with self._lock:
            return next(self._cards)
