"""Programs that keep a copy of the shop, as docs/webhooks.md says, whatever happens to deliveries and their workers."""

import random
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import orjson
import pytest

from catalog.models import InventoryLevel
from kit.messages.webhooks.delivery import delivering
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.working import deliver_all
from kit.messages.webhooks.models import Delivery, WebhookAddress
from kit.values.timestamps import isoformat, now
from tests.contract.callers import Caller, importer
from tests.factories import webhooks as make
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.kit.messages.webhooks.busy_shop import BusyShop
from tests.plugins import samples
from tests.walks import walks

pytestmark = pytest.mark.django_db

Rows = dict[str, Any]
LISTS = {
    "product": ("/admin/products", "products"),
    "product-variant": ("/admin/product-variants", "variants"),
    "customer": ("/admin/customers", "customers"),
    "region": ("/admin/regions", "regions"),
}
STOCK = "inventory-level"
CHANGES = ("created", "updated", "deleted")


class Killed(BaseException):
    """The worker is gone: it neither retries nor records anything."""


class Program:
    """What it has read of the shop: rows by kind and id, and the stock levels of each inventory item."""

    def __init__(self) -> None:
        self.caller: Caller = importer(secret_key(UserFactory(is_superuser=True)))
        self.rows: dict[str, Rows] = {kind: {} for kind in (*LISTS, STOCK)}

    def read(self, kind: str, ids: Iterable[str]) -> None:
        """Keep those rows that are answered, and drop the others."""
        wanted, (path, plural) = [*ids], LISTS[kind]
        for place in range(0, len(wanted), 50):
            some = wanted[place : place + 50]
            query = "&".join(("limit=50", *(f"id[]={key}" for key in some)))
            found = {row["id"]: row for row in self.answer(path, query)[plural]}
            for key in some:
                self.keep(kind, key, found.get(key))

    def read_stock(self, items: Iterable[str]) -> None:
        for item in items:
            levels = self.answer(f"/admin/inventory-items/{item}/location-levels")
            self.keep(STOCK, item, sorted(levels["inventory_levels"], key=lambda level: str(level["id"])))

    def keep(self, kind: str, key: str, row: Any) -> None:
        self.rows[kind].pop(key, None)
        if row:
            self.rows[kind][key] = row

    def answer(self, path: str, query: str = "") -> Any:
        response = self.caller.get(path, query)
        assert response.status_code in {200, 404}, response.content
        return response.json() if response.status_code == 200 else {"inventory_levels": []}

    def read_lists(self) -> dict[str, Rows]:
        """All rows as they are now, but stock."""
        for kind, (path, plural) in LISTS.items():
            self.rows[kind] = {row["id"]: row for row in self.answer(path, "limit=1000")[plural]}
        return {kind: self.rows[kind] for kind in LISTS}

    def read_all(self) -> dict[str, Rows]:
        """The whole shop as it is now."""
        self.rows[STOCK] = {}
        self.read_stock(InventoryLevel.objects.values_list("inventory_item", flat=True).distinct())
        return {**self.rows, **self.read_lists()}


class Listener(Program):
    """It reads again what events name. It forgets none that it has dealt with, and ignores them the second time."""

    def __init__(self) -> None:
        super().__init__()
        self.dealt_with: set[str] = set()

    def receive(self, event: Mapping[str, Any]) -> None:
        kind, _, _ = event["type"].partition(".")
        if event["id"] in self.dealt_with:
            return
        self.dealt_with.add(event["id"])
        if kind == STOCK:
            self.read_stock(event["data"]["inventory_item_ids"])
        else:
            self.read(kind, event["data"]["ids"])


class Poller(Program):
    """It asks for what was updated since it has asked last. Nobody else writes meanwhile, so nothing overlaps."""

    def poll(self, since: str) -> None:
        for kind, (path, plural) in LISTS.items():
            query = f"updated_at[$gte]={since}&with_deleted=true&fields=id&limit=1000".replace("+", "%2B")
            self.read(kind, [row["id"] for row in self.answer(path, query)[plural]])


class Network:
    """Between the shop and a program: requests fail before they arrive or after, and workers are killed then, too."""

    def __init__(self, listener: Listener, seed: int) -> None:
        self.listener, self.random = listener, random.Random(seed)  # noqa: S311 - nothing secret
        self.is_calm = False
        self.killed = self.failed = 0

    def post(self, _: object, body: bytes, __: object) -> int:
        self.perhaps_break()
        self.listener.receive(orjson.loads(body))
        self.perhaps_break()
        return 204

    def perhaps_break(self) -> None:
        fate = 1.0 if self.is_calm else self.random.random()
        if fate < 0.08:
            self.killed += 1
            raise Killed
        if fate < 0.2:
            self.failed += 1
            raise DeliveryFailed("The endpoint returned 500", status=500 if fate < 0.15 else None)

    def deliver(self) -> None:
        """Some time has passed since the last call: claims of the killed are over, and failures are due again."""
        Delivery.objects.pending().update(claimed_until=None, due_at=now())
        WebhookAddress.objects.update(paused_until=None)
        with suppress(Killed):
            deliver_all()

    def calm_down(self) -> None:
        """Everything is delivered."""
        self.is_calm = True
        self.deliver()
        self.is_calm = False
        assert not Delivery.objects.pending().exists()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    made = Network(Listener(), samples.number() or 38)
    monkeypatch.setattr(delivering, "post", made.post)
    return made


def test_mirrors_are_as_the_shop_whatever_happens_to_deliveries(network: Network) -> None:
    shop, poller, truth = BusyShop(samples.number() or 38), Poller(), Program()
    make.address(make.URL, *(f"{kind}.{change}" for kind in (*LISTS, STOCK) for change in CHANGES))
    for program in (network.listener, poller):
        program.read_all()
    steps = walks(100)
    for number in range(1, steps + 1):
        since = isoformat(now())
        wrote = shop.write()
        poller.poll(since)
        assert {kind: poller.rows[kind] for kind in LISTS} == truth.read_lists(), wrote
        if number % 4 == 0:
            network.deliver()
        if number % 10 == 0:
            network.calm_down()
            assert network.listener.rows == truth.read_all()
    assert network.killed
    assert network.failed
    assert len(shop.done) > 20
    assert steps < 1000 or shop.done == {*shop.names()}
