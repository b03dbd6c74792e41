"""The callers of the soak. Each compares what it reads with what it knows: no response may be wrong, only late."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.soak.client import Client, Refused, Tally

STALE_SECONDS = 4.0
"""How old a read of the catalogue may be: REPLICA_MAX_LAG, two looks at the lag, and the request itself."""
ENDED_SESSIONS = 20


@dataclass
class Caller:
    """One of them, with what belongs to it alone. number: from 0."""

    facts: Mapping[str, Any]
    number: int
    client: Client
    stock: list[tuple[float, int]] = field(default_factory=list)
    """When each quantity of its variant was there first, the newest last."""
    ended: list[str] = field(default_factory=list)
    """Cookies of sessions that have ended."""

    def run(self, tally: Tally) -> None:
        """Do what the dice say until all requests are sent."""
        kinds: dict[Callable[[], None], int] = {
            self.look_around: 8,
            self.count_stock: 3,
            self.fill_cart: 1,
            self.sign_in_and_out: 1,
            self.look_up_card: 2,
        }
        while not tally.is_done:
            (act,) = random.choices([*kinds], [*kinds.values()])  # noqa: S311 - a mix, not a secret
            try:
                act()
            except Refused:
                time.sleep(0.1)

    def check(self, is_right: bool, words: str) -> None:
        if not is_right:
            self.client.tally.wrong(words)

    def look_around(self) -> None:
        """Pages of the catalogue, over REST and GraphQL. Nobody changes titles."""
        titles: dict[str, str] = self.facts["titles"]
        product_id = random.choice([*titles])  # noqa: S311
        body, _ = self.client.send("GET", f"/store/products/{product_id}?fields=id,title,*variants,*images")
        found = body["product"]
        self.check((found["id"], found["title"]) == (product_id, titles[product_id]), f"{product_id}: {found}")
        body, _ = self.client.send("GET", "/store/products?limit=100&fields=id,title")
        listed = {each["id"]: each["title"] for each in body["products"]}
        self.check(body["count"] == len(titles) and listed == titles, f"{body['count']} products are listed: {listed}")
        document = "query ($id: ID!) { product(id: $id) { id title } }"
        query = {"query": document, "variables": {"id": product_id}}
        body, _ = self.client.send("POST", "/graphql", query)
        expected = {"data": {"product": {"id": product_id, "title": titles[product_id]}}}
        self.check(body == expected, f"GraphQL answers {body} instead of {expected}")
        body, _ = self.client.send("GET", "/store/regions?fields=id")
        self.check(self.facts["region"] in [each["id"] for each in body["regions"]], f"Regions: {body}")

    def count_stock(self) -> None:
        """A write whose effect is read twice: with its position at once, and without it at most a little late."""
        item, location, variant = self.facts["levels"][self.number]
        secret = f"Bearer {self.facts['secret']}"
        path = f"/store/product-variants/{variant}?fields=inventory_quantity"
        if not self.stock:
            body, _ = self.client.send("GET", path, authorization=secret)
            self.stock.append((time.monotonic(), body["variant"]["inventory_quantity"]))
        change = f"/admin/inventory-items/{item}/location-levels/{location}"
        _, response = self.client.send("POST", change, {"adjust_by": 1}, authorization=secret)
        self.stock.append((time.monotonic(), self.stock[-1][1] + 1))
        position = response.headers["x-commit-position"]
        body, _ = self.client.send("GET", path, x_commit_position=position)
        seen = body["variant"]["inventory_quantity"]
        self.check(seen == self.stock[-1][1], f"{variant} has {seen} pieces after a write, not {self.stock[-1][1]}")
        began = time.monotonic()
        body, _ = self.client.send("GET", path)
        seen = body["variant"]["inventory_quantity"]
        oldest = [quantity for moment, quantity in self.stock if moment < began - STALE_SECONDS][-1:]
        least = oldest[0] if oldest else self.stock[0][1]
        self.check(
            least <= seen <= self.stock[-1][1], f"{variant} has {seen} pieces, not {least} to {self.stock[-1][1]}"
        )
        self.stock = self.stock[-500:]

    def fill_cart(self) -> None:
        """Its lines are those that were put in."""
        body, _ = self.client.send("POST", "/store/carts", {"region_id": self.facts["region"]})
        path, lines = f"/store/carts/{body['cart']['id']}", {}
        for _, _, variant in random.sample(self.facts["levels"], 3):
            lines[variant] = lines.get(variant, 0) + random.randint(1, 3)  # noqa: S311
            self.client.send("POST", f"{path}/line-items", {"variant_id": variant, "quantity": lines[variant]})
        body, _ = self.client.send("GET", f"{path}?fields=items.variant_id,items.quantity")
        seen = {line["variant_id"]: line["quantity"] for line in body["cart"]["items"]}
        self.check(seen == lines, f"{path} has {seen} instead of {lines}")

    def sign_in_and_out(self) -> None:
        """A session opens the account until it has ended, and nothing afterwards."""
        email, token = self.facts["customers"][self.number]
        _, response = self.client.send("POST", "/auth/session", authorization=f"Bearer {token}")
        cookie = str(response.headers["set-cookie"]).partition(";")[0]
        for _ in range(5):
            body, _ = self.client.send("GET", "/store/customers/me?fields=email", cookie=cookie)
            self.check(body["customer"]["email"] == email, f"{email} is {body}")
        self.client.send("DELETE", "/auth/session", cookie=cookie)
        self.ended = [*self.ended[1 - ENDED_SESSIONS :], cookie]
        self.client.send("GET", "/store/customers/me", expected=401, cookie=random.choice(self.ended))  # noqa: S311

    def look_up_card(self) -> None:
        """Its lookups are counted against guessing, in Redis or in the table."""
        code = self.facts["cards"][self.number]
        body, _ = self.client.send("GET", f"/store/gift-cards/{code}")
        self.check((body["gift_card"]["code"], body["gift_card"]["value"]) == (code, 25), f"{code}: {body}")
