"""The commands and programs for storefront developers run as printed, against the demo shop on a real server."""

import os
import re
import shutil
import subprocess
from typing import Any

import orjson
import pytest
from django.core.management import call_command
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from commerce.operations.management.commands.demo import KEY_TITLE, SHOP
from kit.errors import Conflict, DomainError
from kit.rest.requests.client_address import client_address
from orders.completion import completing
from orders.completion.settling import PAYMENT_REFUSED, Completed, Refusal
from orders.mails.transfers import render_transfer_mail
from orders.models import Order, OrderTransfer
from shop.errors import ProviderUnavailable
from staff.models import User
from tests.docs.pages import GRAPHQL, README, STOREFRONT, examples
from tests.factories.apikeys import publishable_key
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory, token_of

EMAIL, PASSWORD = "reader@shop.example", "a password nobody else has"
pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def environment(live_server: LiveServer) -> dict[str, str]:
    call_command("load_shop", str(SHOP), verbosity=0)
    User.objects.create_superuser(EMAIL, PASSWORD)
    key = publishable_key(title=KEY_TITLE)
    given = {"SHOP": live_server.url, "KEY": key.token, "STAFF_EMAIL": EMAIL, "STAFF_PASSWORD": PASSWORD}
    return {**os.environ, **given}


def run(command: list[str], text: str, environment: dict[str, str]) -> str:
    done = subprocess.run(command, input=text, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_curl_lines_answer_as_described(environment: dict[str, str]) -> None:
    pasted = "printf '\\0'\n".join(examples(STOREFRONT, "sh"))  # one shell: later commands use what earlier ones set
    answers = run(["sh", "-e"], pasted, environment).split("\0")
    assert len(answers) == 11
    assert answers[0].startswith('{"product_categories":[{"id":"pcat_')
    assert '"name":"Tea","category_children":[{"id":"pcat_' in answers[2]
    assert '"name":"Espresso"' in answers[3]
    assert '"name":"Single origin"' in answers[3]
    assert "Winter boxes" not in "".join(answers)
    assert "Staff samples" not in "".join(answers)
    assert '"handle":"tea"' in answers[4]
    assert '"name":"Coffee"' in answers[4]
    assert re.search(r'"products":\[{"id":"prod_\w+","title":"[^"]+"},{[^}]*}\],"count":17,', answers[4])
    assert '"calculated_price":{"id":"pset_' in answers[5]
    assert '"title":"Stock sync","type":"secret"' in answers[1]
    assert '"email":"nell@example.com"' in answers[6]
    assert '"city":"Portland","country_code":"us","province":"us-me"' in answers[6]
    assert answers[6].endswith('"orders":[]}}')
    assert '"id":"cart_' in answers[7]
    assert '"currency_code":"eur","item_subtotal":16.87,"total":16.02,"tax_total":0.84,' in answers[7]
    assert '"title":"Assam Mangalam"' in answers[7]
    assert '"rate":5.5' in answers[7]
    assert '"name":"Parcel","amount":9.9,"type":' in answers[7]
    assert '"attribute":"item_total","operator":"gte","value":"80"' in answers[7]
    assert '"shipping_total":9.9,"total":25.92,"shipping_methods":[{"id":"casm_' in answers[7]
    assert '"name":"Parcel"}]}}' in answers[7]
    assert '"amount":25.92,"status":"awaiting","payment_sessions":[{"id":"payses_' in answers[7]
    assert answers[7].endswith('"status":"pending"}]}}')
    assert (
        '"status":"pending","value":40,"currency_code":"eur","expires_at":"2099-12-31T23:59:59.000Z"}}{"gift_card":'
        in answers[8]
    )
    assert '"email":"nell@example.com"' in answers[8]
    assert '"currency_code":"eur","balance":40,"transaction_groups":[{"id":"sc_trxg_' in answers[8]
    order = Order.objects.get()
    assert f'"id":"{order.pk}","display_id":1,"email":"nell@example.com"' in answers[9]
    assert '"total":25.92' in answers[9]
    assert '"payment_status":"authorized"' in answers[9]
    assert '"fulfillment_status":"not_fulfilled"' in answers[9]
    assert '"title":"Assam Mangalam","quantity":2' in answers[9]
    assert answers[9].endswith(f'{{"type":"order","order":{{"id":"{order.pk}","display_id":1}}}}')
    stub = f'{{"order":{{"id":"{order.pk}","display_id":1,"email":"n•••@example.com","total":null}}}}'
    assert answers[10] == f'{stub}{{"order":{{"id":"{order.pk}"}}}}'
    assert OrderTransfer.objects.get().status == "canceled"


def test_the_curl_lines_of_other_pages_answer_as_described(environment: dict[str, str]) -> None:
    (first,) = (run(["sh", "-e"], text, environment) for text in examples(README, "sh"))
    assert first.startswith('{"products":[{"id":"prod_')
    assert '"calculated_price":{"id":"pset_' in first
    assert '"currency_code":"eur"' in first
    (graphql,) = (run(["sh", "-e"], text, environment) for text in examples(GRAPHQL, "sh"))
    assert graphql.startswith('{"data":{"productCategories":{"count":7,"productCategories":[{"name":"Tea"},')


def test_the_graphql_documents_answer_as_described(environment: dict[str, str]) -> None:
    answers = [post(text, environment) for text in examples(GRAPHQL, "graphql")[:-1]]
    assert [list(answer) for answer in answers] == [["data"], ["data"], ["errors", "data"], ["data"]]
    menu, found, partly, made = (answer["data"] for answer in answers)
    roots = menu["productCategories"]["productCategories"]
    assert menu["productCategories"]["count"] == len(roots) > 1
    assert [list(root) for root in roots] == [["id", "title", "handle", "metadata", "children"]] * len(roots)
    assert {row["name"] for row in found["productCategories"]["productCategories"]} == {"Tea", "Coffee", "Espresso"}
    assert (len(partly["first"]["productCategories"]), partly["missing"]) == (1, None)
    (error,) = answers[2]["errors"]
    assert (error["path"], error["extensions"]) == (["missing"], {"type": "not_found"})
    assert made["createApiKey"]["apiKey"]["token"].startswith("sk_")


def test_the_graphql_operations_lead_from_a_cart_to_the_order_of_a_customer(environment: dict[str, str]) -> None:
    document = examples(GRAPHQL, "graphql")[-1]
    customer, cart = CustomerFactory(email="mia@example.com"), ready_cart()
    key, token = environment["KEY"], token_of(customer)

    def ask(operation: str, **variables: str) -> Any:
        body = {"query": document, "operationName": operation, "variables": variables}
        credentials = ["-H", f"x-publishable-api-key: {key}", "-H", f"authorization: Bearer {token}"]
        answer = send("/graphql", body, environment, *credentials, "-H", "x-graphql-request: true")
        assert list(answer) == ["data"], answer
        return answer["data"]

    done = ask("PlaceOrder", cart=cart.pk)["completeCart"]
    order = Order.objects.get()
    (line,) = done["order"].pop("items")
    assert (line["quantity"], line["total"]) == (1, 50)
    assert done == {
        "type": "order",
        "order": {"id": order.pk, "displayId": 1, "total": 55, "currencyCode": "usd", "paymentStatus": "authorized"},
        "cart": None,
        "error": None,
    }
    assert ask("MyOrders")["orders"]["count"] == 0  # a guest's cart became a guest's order
    asked = ask("RequestOrder", order=order.pk)["requestOrderTransfer"]["order"]
    assert asked == {"id": order.pk, "email": "a•••@example.com"}
    mail = render_transfer_mail(OrderTransfer.objects.get().pk, 1)
    assert mail is not None
    accepted = ask("AcceptTransfer", order=order.pk, token=mail.context["token"])["acceptOrderTransfer"]["order"]
    assert accepted == {"id": order.pk, "customerId": customer.pk}
    assert ask("MyOrders")["orders"] == {
        "count": 1,
        "orders": [{"displayId": 1, "total": 55, "items": [{"title": line["title"]}]}],
    }


def post(document: str, environment: dict[str, str]) -> dict[str, Any]:
    """What the server answers to the document of a member of staff."""
    login = {"email": environment["STAFF_EMAIL"], "password": environment["STAFF_PASSWORD"]}
    token = send("/auth/user/emailpass", login, environment)["token"]
    return send("/graphql", {"query": document}, environment, "-H", f"authorization: Bearer {token}")


def send(path: str, body: dict[str, Any], environment: dict[str, str], *options: str) -> dict[str, Any]:
    command = ["curl", "--fail-with-body", "-s", environment["SHOP"] + path, "-H", "content-type: application/json"]
    answer: dict[str, Any] = orjson.loads(
        run([*command, *options, "-d", "@-"], orjson.dumps(body).decode(), environment)
    )
    return answer


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
def test_the_javascript_names_the_copies_of_a_picture() -> None:
    ours, other = f"https://api.shop.example/media/{'ab' * 32}", "https://pictures.example/tea.webp"
    program = f"{examples(STOREFRONT, 'js')[0]}\nconsole.log(copy('{ours}.webp', 480), copy('{other}', 480))"
    printed = run(["node", "--input-type=module", "-"], program, {**os.environ})
    assert printed.split() == [f"{ours}-480.webp", other]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
def test_the_javascript_prints_the_tree(environment: dict[str, str]) -> None:
    printed = run(["node", "--input-type=module", "-"], examples(STOREFRONT, "js")[1], environment)
    assert "Pots & kettles []\n" in printed
    assert "Grinders [ 'hand-grinders' ]\n" in printed


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
def test_the_javascript_places_an_order(environment: dict[str, str]) -> None:
    printed = run(["node", "--input-type=module", "-"], examples(STOREFRONT, "js")[3], environment)
    assert printed == "Order 1: 27.7 eur, authorized\n"
    assert Order.objects.get().email == "nell@example.com"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
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
    printed = run(["node", "--input-type=module", "-"], examples(STOREFRONT, "js")[3], environment)
    assert printed == "Order 1: 27.7 eur, authorized\n"
    assert len(keys) == 3
    assert len({*keys}) == 1
    assert keys[0] is not None


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
def test_the_javascript_asks_for_another_way_to_pay_after_a_refusal(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = Completed(None, Refusal(PAYMENT_REFUSED, "The card was declined."))
    monkeypatch.setattr(completing, "complete", lambda **_: refused)
    printed = run(["node", "--input-type=module", "-"], examples(STOREFRONT, "js")[3], environment)
    assert printed == "Please try another way to pay: The card was declined.\n"
    assert not Order.objects.exists()


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the example")
def test_the_javascript_signs_a_shoppers_address_as_described_and_as_the_shop_reads_it(settings: Settings) -> None:
    said = re.search(r"With the secret `(.+)` it prints\n`(.+)`", STOREFRONT.read_text())
    assert said
    secret, header = said.groups()
    example, environment = examples(STOREFRONT, "js")[2], {**os.environ, "CLIENT_ADDRESS_SECRET": secret}
    assert run(["node", "--input-type=module", "-"], example, environment) == f"{header}\n"
    fresh = run(["node", "--input-type=module", "-"], example.replace(", 1795262400", ""), environment).strip()
    settings.CLIENT_ADDRESS_SECRET = secret
    assert client_address({"REMOTE_ADDR": "192.0.2.1", "HTTP_X_CLIENT_ADDRESS": fresh}) == "203.0.113.7"
