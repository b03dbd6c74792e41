"""The callers of the load test, for locust: shoppers who buy, staff who work on their orders, a program that counts.

Each POST has an Idempotency-Key and is sent again, as the docs ask, while there is no answer, or one of AGAIN. Each
request is a line of JSON in RESULTS, and so is each order and each change of stock that was answered.
"""

import os
import random
import re
import time
import uuid
from pathlib import Path
from typing import Any

import orjson
from locust import HttpUser, between, constant, events, task

FACTS = orjson.loads(Path(os.environ["LOAD_FACTS"]).read_bytes())
RESULTS = Path(os.environ["LOAD_RESULTS"]).open("ab", buffering=0)  # noqa: SIM115 - until the process ends
BESIDE = os.environ.get("LOAD_BESIDE")
"""The address of another server on the same database, which half of the requests go to."""
AGAIN = (0, 409, 429, 503)
"""0: the connection broke."""
PATIENCE = 90.0
ADDRESS = {"first_name": "Nell", "address_1": "2 Quai du Port", "city": "Marseille", "country_code": "fr"}


class Caller(HttpUser):
    """A client that is patient with POSTs, and takes each other answer that is no 2xx for a failure."""

    abstract = True
    headers: dict[str, str]

    def take_turns(self) -> None:
        """Send the next request to either server."""
        if BESIDE:
            self.client.base_url = random.choice((self.host, BESIDE))  # noqa: S311

    def get(self, path: str, name: str | None = None, **query: Any) -> Any:
        """The body; None without a 2xx."""
        self.take_turns()
        response = self.client.get(path, params=query, headers=self.headers, name=name or path)
        return response.json() if response.ok else None

    def post(self, path: str, body: Any = None, *, name: str) -> Any:
        """The body of the first final answer; None if that is no 2xx."""
        headers = {**self.headers, "idempotency-key": str(uuid.uuid4())}
        end = time.monotonic() + PATIENCE
        while True:
            self.take_turns()
            response = self.client.post(path, json=body or {}, headers=headers, name=name)
            if response.status_code not in AGAIN or time.monotonic() > end:
                return response.json() if response.ok else None
            time.sleep(random.uniform(0.2, 1.0))  # noqa: S311 - jitter, not a secret


class Shopper(Caller):
    """Looks around, fills a cart, pays and orders."""

    fixed_count = int(os.environ.get("LOAD_SHOPPERS", "30"))
    wait_time = between(1.0, 4.0)

    def on_start(self) -> None:
        self.headers = {"x-publishable-api-key": FACTS["publishable"]}

    @task(3)
    def look_around(self) -> None:
        """A list, a search and a product page."""
        self.get("/store/products", limit=12, region_id=FACTS["region"])
        self.wait()
        self.get("/store/products", "/store/products?q=", q=random.choice(("tea", "green", "assam")))  # noqa: S311
        self.wait()
        variant = random.choice(FACTS["variants"])  # noqa: S311
        fields = "id,title,calculated_price.calculated_amount,inventory_quantity"
        self.get(
            f"/store/product-variants/{variant}",
            "/store/product-variants/{id}",
            fields=fields,
            region_id=FACTS["region"],
        )

    @task(2)
    def buy(self) -> None:
        """A cart becomes an order."""
        made = self.post("/store/carts", {"region_id": FACTS["region"]}, name="POST /store/carts")
        if made is None:
            return
        path, bought = f"/store/carts/{made['cart']['id']}", random.randint(1, 3)  # noqa: S311
        self.wait()
        line = {"variant_id": random.choice(FACTS["variants"]), "quantity": bought}  # noqa: S311
        self.post(f"{path}/line-items", line, name="POST …/line-items")
        self.wait()
        about = {"email": f"{uuid.uuid4().hex}@shoppers.example", "shipping_address": ADDRESS}
        self.post(path, about, name="POST /store/carts/{id}")
        options = self.get("/store/shipping-options", cart_id=made["cart"]["id"])
        if not options:
            return
        chosen = {"option_id": options["shipping_options"][0]["id"]}
        self.post(f"{path}/shipping-methods", chosen, name="POST …/shipping-methods")
        self.wait()
        opened = self.post(
            "/store/payment-collections", {"cart_id": made["cart"]["id"]}, name="POST …/payment-collections"
        )
        if opened is None:
            return
        sessions = f"/store/payment-collections/{opened['payment_collection']['id']}/payment-sessions"
        self.post(sessions, {"provider_id": "pp_load"}, name="POST …/payment-sessions")
        self.wait()
        ended = self.post(f"{path}/complete", name="POST …/complete")
        if ended is not None:
            ordered = ended.get("order") or {}
            record(order=ordered.get("id"), type=ended["type"], cart=made["cart"]["id"], pieces=bought)


class Staff(Caller):
    """Captures, packs, ships and sometimes refunds orders, and reads the pages of the admin site in between."""

    fixed_count = int(os.environ.get("LOAD_STAFF", "3"))
    wait_time = between(1.0, 3.0)
    hired = 0

    def on_start(self) -> None:
        self.number = Staff.hired
        Staff.hired += 1
        email, password = FACTS["staff"][self.number], FACTS["password"]
        credentials = {"email": email, "password": password}
        self.headers = {}
        self.headers = {"authorization": f"Bearer {self._token(credentials)}"}
        self._sign_in(email, password)
        self.worked: set[str] = set()

    def _token(self, credentials: dict[str, str]) -> str:
        while (body := self.post("/auth/user/emailpass", credentials, name="POST /auth/user/emailpass")) is None:
            self.wait()
        return str(body["token"])

    def _sign_in(self, email: str, password: str) -> None:
        page = self.client.get("/admin/login/")
        self.take_turns()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)', page.text)
        form = {"username": email, "password": password, "csrfmiddlewaretoken": token[1] if token else ""}
        self.client.post("/admin/login/?next=/admin/", form, name="POST /admin/login/")

    @task(3)
    def work(self) -> None:
        """One order of their share, from capture to delivery."""
        waiting = self.get("/admin/orders", fulfillment_status="not_fulfilled", limit=60, fields="id,display_id")
        if not waiting:
            return
        mine = [order["id"] for order in waiting["orders"] if order["display_id"] % self.fixed_count == self.number]
        for order_id in [each for each in mine if each not in self.worked][:1]:
            self.worked.add(order_id)
            self.wait()
            self._fulfill(self.get(f"/admin/orders/{order_id}", "/admin/orders/{id}"))

    def _fulfill(self, answer: Any) -> None:
        if answer is None:
            return
        order = answer["order"]
        path = f"/admin/orders/{order['id']}"
        payment = order["payment_collections"][0]["payments"][0]["id"]
        self.post(f"/admin/payments/{payment}/capture", name="POST …/capture")
        self.wait()
        items = [{"id": line["id"], "quantity": line["quantity"]} for line in order["items"]]
        packed = self.post(f"{path}/fulfillments", {"items": items}, name="POST …/fulfillments")
        if packed is None:
            return
        fulfillment = packed["order"]["fulfillments"][0]["id"]
        self.post(f"{path}/fulfillments/{fulfillment}/shipments", {"items": items}, name="POST …/shipments")
        if random.random() < 0.2:  # noqa: S311
            refund = {"amount": 1, "refund_reason_id": FACTS["refund_reason"]}
            self.post(f"{path}/refunds", refund, name="POST …/refunds")

    @task(2)
    def read(self) -> None:
        """Pages of the admin site, in the session of the browser."""
        for path in ("/admin/", "/admin/orders/order/", "/admin/catalog/product/"):
            self.take_turns()
            self.client.get(path)
            self.wait()
        self.client.get("/admin/orders/order/?q=nell", name="/admin/orders/order/?q=")


class Program(Caller):
    """A warehouse's program: it corrects stock, and reads orders page by page."""

    fixed_count = 1
    wait_time = constant(1.0)

    def on_start(self) -> None:
        self.headers = {"authorization": f"Bearer {FACTS['secret']}"}

    @task
    def count(self) -> None:
        """One level gets another piece."""
        item, location = random.choice(FACTS["levels"])  # noqa: S311
        path = f"/admin/inventory-items/{item}/location-levels/{location}"
        if self.post(path, {"adjust_by": 1}, name="POST …/location-levels/{id}") is not None:
            record(adjusted=1)

    @task
    def read(self) -> None:
        """The newest orders."""
        self.get("/admin/orders", "/admin/orders?limit=100", limit=100, order="-created_at")


def record(**line: Any) -> None:
    """Write a line of results."""
    RESULTS.write(orjson.dumps(line) + b"\n")


@events.request.add_listener
def note(
    *, request_type: str, name: str, response_time: float, exception: BaseException | None, response: Any, **_: Any
) -> None:
    """Write each request with its status and the moment of its end."""
    status = getattr(response, "status_code", 0)
    body = "" if status < 400 else response.text[:300]
    record(at=time.time(), method=request_type, name=name, ms=response_time, status=status, body=body)
