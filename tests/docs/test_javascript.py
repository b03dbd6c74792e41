"""The JavaScript for storefront developers runs as printed, in Node, against the demo shop on a real server."""

import os
import re
import shutil
from decimal import Decimal
from typing import Any

import orjson
import pytest
from pytest_django import Settings

from carts.models import Cart
from catalog.models import Product
from kit.errors import Conflict, DomainError
from kit.rest.requests.client_address import client_address
from orders.completion import completing
from orders.completion.settling import PAYMENT_REFUSED, Completed, Refusal
from orders.models import Order
from shop.errors import ProviderUnavailable
from tests.docs.pages import STOREFRONT, examples, run
from tests.sdk import node

pytestmark = [
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example"),
]
CONSTANTS, SDK, COPY, TREE, ADDRESS, ORDER, AGAIN = examples(STOREFRONT, "js")


def executed(program: str, environment: dict[str, str]) -> str:
    """What a module prints. It finds the SDK where the tests of the SDK have it."""
    return run(["node", "--input-type=module", "-"], program, environment, folder=node.HERE)


def in_shop(program: str, environment: dict[str, str]) -> str:
    """The same of one that begins with the page's constants, which name the reader's shop."""
    named = CONSTANTS.replace("http://127.0.0.1:8000", environment["SHOP"]).replace("pk_…", environment["KEY"])
    assert named.count(environment["SHOP"]) == named.count(environment["KEY"]) == 1
    return executed(named + program, {name: value for name, value in environment.items() if name != "SHOP"})


def test_the_javascript_names_the_copies_of_a_picture() -> None:
    ours, other = f"https://api.shop.example/media/{'ab' * 32}", "https://pictures.example/tea.webp"
    printed = executed(f"{COPY}\nconsole.log(copy('{ours}.webp', 480), copy('{other}', 480))", {**os.environ})
    assert printed.split() == [f"{ours}-480.webp", other]


def test_the_javascript_prints_the_tree(environment: dict[str, str]) -> None:
    printed = in_shop(TREE, environment)
    assert "Pots & kettles []\n" in printed
    assert "Grinders [ 'hand-grinders' ]\n" in printed


def test_the_javascript_places_an_order(environment: dict[str, str]) -> None:
    printed = in_shop(ORDER, environment)
    assert printed == "Order 1: 27.7 eur, authorized\n"
    assert Order.objects.get().email == "nell@example.com"


def test_the_javascript_repeats_its_request_with_the_same_key_after_a_409_and_a_503(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    complete, keys = completing.complete, []
    failures: list[DomainError] = [Conflict(), ProviderUnavailable("payment provider")]

    def at_the_third_time(**given: Any) -> Completed:
        keys.append(given["idempotency_digest"])
        if failures:
            raise failures.pop(0)
        return complete(**given)

    monkeypatch.setattr(completing, "complete", at_the_third_time)
    printed = in_shop(ORDER, environment)
    assert printed == "Order 1: 27.7 eur, authorized\n"
    assert len(keys) == 3
    assert len({*keys}) == 1
    assert keys[0] is not None


def test_the_javascript_asks_for_another_way_to_pay_after_a_refusal(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = Completed(None, Refusal(PAYMENT_REFUSED, "The card was declined."))
    monkeypatch.setattr(completing, "complete", lambda **_: refused)
    printed = in_shop(ORDER, environment)
    assert printed == "Please try another way to pay: The card was declined.\n"
    assert not Order.objects.exists()


def test_the_javascript_signs_a_shoppers_address_as_described_and_as_the_shop_reads_it(settings: Settings) -> None:
    said = re.search(r"With the secret `(.+)` it prints\n`(.+)`", STOREFRONT.read_text())
    assert said
    secret, header = said.groups()
    environment = {**os.environ, "CLIENT_ADDRESS_SECRET": secret}
    assert executed(ADDRESS, environment) == f"{header}\n"
    fresh = executed(ADDRESS.replace(", 1795262400", ""), environment).strip()
    settings.CLIENT_ADDRESS_SECRET = secret
    assert client_address({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_CLIENT_ADDRESS": fresh}) == "203.0.113.7"


@node.needs_sdk
def test_the_sdk_leads_to_a_customers_order_and_orders_again(environment: dict[str, str]) -> None:
    assert in_shop(SDK, environment) == "Order 1: 27.7 eur\n"
    order = Order.objects.get()
    assert order.customer is not None
    assert order.customer.email == order.email == "mara@harbour.example"
    made, _, _ = SDK.partition("const { regions }")
    (sign_in,) = re.findall(r"^await sdk\.auth\.login.*", SDK, re.MULTILINE)
    again = f"{made}{sign_in}\n{AGAIN}\nconsole.log(JSON.stringify(await orderAgain(sdk, '{order.pk}')))"
    first = orjson.loads(in_shop(again, environment))
    cart = Cart.objects.get(pk=first["cart_id"])
    assert (first["refused"], cart.customer_id, cart.total) == ([], order.customer_id, Decimal("17.8"))
    assert [(line.variant_id, line.quantity) for line in cart.items.all()] == [
        (line.variant_id, 2) for line in order.items.all()
    ]
    Product.objects.update(status="draft")
    (refusal,) = orjson.loads(in_shop(again, environment))["refused"]
    assert refusal.startswith("Assam Mangalam (")
