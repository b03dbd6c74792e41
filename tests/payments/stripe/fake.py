"""The fake Stripe as tests speak to it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
import requests
from stripe import WebhookSignature

WEBHOOK_SECRET = "whsec_test"


class Fake:
    """The server at that port. Payment methods and amounts that go wrong stand in fake_stripe."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self._session = requests.Session()

    def reset(self) -> None:
        """An account as new, without faults."""
        self._control("reset")

    def pay(self, intent_id: str, method: str = "pm_card_visa") -> None:
        """The shopper confirms in the storefront."""
        self._control("pay", intent_id=intent_id, method=method)

    def attach(self, intent_id: str, method: str = "pm_card_visa") -> None:
        """A payment method is there, and nobody has confirmed."""
        self._control("attach", intent_id=intent_id, method=method)

    def by_hand(self, act: str, **given: Any) -> None:
        """Capture, cancel or refund in Stripe's dashboard; `count_no_releases` is another version of its API."""
        self._control(act, **given)

    def fails(self, path: str, **fault: Any) -> None:
        """The next request for a path with that end goes wrong.

        when="before" it is done, or "after"; "never" lets that one be. Without a status the connection breaks;
        text: instead of JSON; type: of the error; seconds: how long it takes.
        """
        self._control("fault", path=path, **fault)

    def forget_keys(self) -> None:
        """As Stripe does after a day."""
        self._control("forget_keys")

    def requests(self, path: str = "") -> list[dict[str, Any]]:
        """What it was asked at paths with that end, in order."""
        return [request for request in self._control("state")["requests"] if request["path"].endswith(path)]

    def refunds(self) -> list[dict[str, Any]]:
        """All there are, the newest first."""
        return list(self._control("state")["refunds"])

    def events(self) -> list[dict[str, Any]]:
        """What it tells, in order."""
        return list(self._control("state")["events"])

    def _control(self, act: str, **reported: Any) -> Any:
        answer = self._session.post(f"{self.base}/fake/{act}", json=reported, timeout=10)
        answer.raise_for_status()
        return answer.json()


def signed(event: dict[str, Any], *, secret: str = WEBHOOK_SECRET, at: int | None = None) -> tuple[bytes, str]:
    """The event as Stripe sends it: its body, and the header Stripe-Signature."""
    body = orjson.dumps(event)
    return body, WebhookSignature.generate_signature_header(body.decode(), secret, at)


@contextmanager
def running_fake() -> Iterator[Fake]:
    """Until the block ends."""
    command = [sys.executable, "-m", "tests.payments.stripe.fake_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Fake(int(process.stdout.readline()))
        finally:
            process.terminate()
