"""The fake Stripe over HTTP, in a process of its own: `python -m tests.payments.stripe.fake_server`.

Prints its port. Beside Stripe's routes it has those below /fake, by which tests are the shopper, and break things.
"""

import json
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import RLock
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.payments.stripe.fake_stripe import FakeStripe, Refused, Thing

KEY = "sk_test_fake"


@dataclass
class Account:
    """What the server remembers. kept: the answers by idempotency key, with what they answered."""

    stripe: FakeStripe = field(default_factory=FakeStripe)
    kept: dict[str, tuple[Any, int, Thing]] = field(default_factory=dict)
    faults: list[Thing] = field(default_factory=list)
    requests: list[Thing] = field(default_factory=list)


class Dropped(Exception):
    """No answer."""


class Handler(BaseHTTPRequestHandler):
    """A request at a time for the whole account, but for waits."""

    protocol_version = "HTTP/1.1"
    account = Account()
    lock = RLock()

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""

    def _answer(self, method: str) -> None:
        parts = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        try:
            if parts.path.startswith("/fake/"):
                with self.lock:
                    status, body = 200, self._control(parts.path.removeprefix("/fake/"), json.loads(sent or "{}"))
            else:
                status, body = self._stripe(method, parts.path, nested(sent or parts.query))
        except Dropped:
            self.close_connection = True
            return
        self._send(status, body if isinstance(body, bytes) else json.dumps(body).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Request-Id", "req_fake")
        self.end_headers()
        self.wfile.write(body)

    def _stripe(self, method: str, path: str, form: Thing) -> tuple[int, Any]:
        key = self.headers.get("Idempotency-Key")
        with self.lock:
            self.account.requests.append({"method": method, "path": path, "key": key, "form": form})
            fault = next((fault for fault in self.account.faults if path.endswith(fault["path"])), {})
            if fault:
                self.account.faults.remove(fault)
        time.sleep(fault.get("seconds", 0))
        if fault.get("when") == "before":
            return _broken(fault)
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"error": {"type": "invalid_request_error", "message": "Invalid API Key provided: sk_****"}}
        with self.lock:
            status, body = self._once(key, (method, path, form))
            if fault.get("when") == "after":
                status, body = _broken(fault)
                if key and isinstance(body, dict):  # Stripe repeats its own failures too
                    self.account.kept[key] = ((method, path, form), status, body)
        return status, body

    def _once(self, key: str | None, asked: tuple[str, str, Thing]) -> tuple[int, Thing]:
        if key in self.account.kept:
            first, status, body = self.account.kept[key]
            if first != asked:
                message = "Keys for idempotent requests can only be used with the same parameters."
                return 400, {"error": {"type": "idempotency_error", "message": message}}
            return status, body
        try:
            status, body = 200, self._routed(*asked)
        except Refused as refusal:
            status, body = refusal.status, refusal.body
        if key:
            self.account.kept[key] = (asked, status, json.loads(json.dumps(body)))
        return status, body

    def _routed(self, method: str, path: str, form: Thing) -> Thing:
        stripe = self.account.stripe
        match [method, *path.strip("/").split("/")[1:]]:
            case ["POST", "payment_intents"]:
                return stripe.create(form)
            case ["GET", "payment_intents", intent_id]:
                return stripe.shown(intent_id, form)
            case ["POST", "payment_intents", intent_id]:
                return stripe.update(intent_id, form)
            case ["POST", "payment_intents", intent_id, ("confirm" | "capture" | "cancel") as act]:
                done: Thing = getattr(stripe, act)(intent_id, form)
                return done
            case ["POST", "refunds"]:
                return stripe.refund(form)
            case ["GET", "refunds"]:
                return stripe.refunds_of(form["payment_intent"])
        raise Refused(f"Unrecognized request URL ({method}: {path}).", code="url_invalid", status=404)

    def _control(self, act: str, reported: Thing) -> Any:
        account = self.account
        match act:
            case "reset":
                Handler.account = Account()
            case "fault":
                account.faults.append(reported)
            case "forget_keys":
                account.kept.clear()
            case "state":
                return {
                    "requests": account.requests,
                    "events": account.stripe.events,
                    "refunds": account.stripe.refunds,
                }
            case "pay" | "attach" | "count_no_releases" | "capture" | "cancel" | "refund":
                getattr(account.stripe, act)(**reported)
        return {}


def nested(text: str) -> Thing:
    """`a[b]=c` as `{"a": {"b": "c"}}`."""
    form: Thing = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        first, *rest = name.replace("]", "").split("[")
        inner = form
        for part in [first, *rest][:-1]:
            inner = inner.setdefault(part, {})
        inner[[first, *rest][-1]] = value
    return form


def _broken(fault: Thing) -> tuple[int, Any]:
    if fault.get("status") is None:
        raise Dropped
    if "text" in fault:
        return fault["status"], fault["text"].encode()
    return fault["status"], {"error": {"type": fault.get("type", "api_error"), "message": "Something is wrong."}}


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)  # noqa: T201 - its starter reads it
    server.serve_forever()
