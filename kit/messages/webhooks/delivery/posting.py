"""Sending one delivery over HTTP."""

from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPResponse

from kit.messages.webhooks.delivery.exchange import answered
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.endpoints.targets import Target

SECONDS = 10.0
MOST_ANSWER_BYTES = 64 * 1024


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer, which is 2xx. Raises DeliveryFailed.

    It takes SECONDS at most; the answer's body is read, up to MOST_ANSWER_BYTES, and dropped.
    """
    with answered(target, "POST", body, headers, seconds=SECONDS, most_bytes=MOST_ANSWER_BYTES) as response:
        _drop_body(response)
        status = response.status
    if 200 <= status < 300:
        return status
    redirects = "; redirects are not followed" if 300 <= status < 400 else ""
    raise DeliveryFailed(f"Answered with status {status}{redirects}", status=status)


def _drop_body(response: HTTPResponse) -> None:
    """Read it, since programs take a connection that ends early for a failure; the status says all we need."""
    with suppress(OSError, HTTPException, ValueError):
        response.read()
