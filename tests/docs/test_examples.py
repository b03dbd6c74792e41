"""The commands and documents for storefront developers run as printed, against the demo shop on a real server."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from orders.mails.transfers import render_transfer_mail
from orders.models import Order, OrderTransfer
from tests.docs.pages import DOCS, FIRST_ORDER, GRAPHQL, README, STOREFRONT, examples, run
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory, token_of

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("page", [README, *sorted(DOCS.rglob("*.md")), FIRST_ORDER], ids=lambda page: page.name)
def test_no_command_prints_how_much_curl_has_read(page: Path) -> None:
    """As it does on a terminal where its output goes into a variable or another command, unless -s forbids it."""
    lines = [line for line in page.read_text().replace("\\\n", " ").splitlines() if "curl --fail-with-body" in line]
    piped = [line for line in lines if "$(curl" in line or re.search(r"curl [^|]*\|(?!\|)", line)]
    assert [line for line in piped if not re.search(r"curl --fail-with-body -\w*s", line)] == []


def test_the_curl_lines_answer_as_described(environment: dict[str, str]) -> None:
    pasted = "printf '\\0'\n".join(examples(STOREFRONT, "sh"))  # one shell: later commands use what earlier ones set
    answers = run(["sh", "-e"], pasted, environment).split("\0")
    assert len(answers) == 14
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
    assert '"handle":"matcha-uji","seo_title":' in answers[6]
    assert '"title":"Stock sync","type":"secret"' in answers[1]
    assert '"email":"nell@example.com"' in answers[7]
    assert '"city":"Portland","country_code":"us","province":"us-me"' in answers[7]
    assert answers[7].endswith('"orders":[]}}')
    assert '"id":"cart_' in answers[8]
    assert '"currency_code":"eur","item_subtotal":16.87,"total":16.02,"tax_total":0.84,' in answers[8]
    assert '"title":"Assam Mangalam"' in answers[8]
    assert '"rate":5.5' in answers[8]
    assert '"name":"Parcel","amount":9.9,"type":' in answers[8]
    assert '"attribute":"item_total","operator":"gte","value":"80"' in answers[8]
    assert '"shipping_total":9.9,"total":25.92,"shipping_methods":[{"id":"casm_' in answers[8]
    assert '"name":"Parcel"}]}}' in answers[8]
    assert '"amount":25.92,"status":"awaiting","payment_sessions":[{"id":"payses_' in answers[8]
    assert answers[8].endswith('"status":"pending"}]}}')
    assert answers[9].startswith('{"cart":{"id":"cart_')
    assert '"email":"nell@example.com","total":8.9,' in answers[9]
    assert '"title":"Assam Mangalam"' in answers[9]
    assert (
        '"status":"pending","value":40,"currency_code":"eur","expires_at":"2099-12-31T23:59:59.000Z"}}{"gift_card":'
        in answers[10]
    )
    assert '"email":"nell@example.com"' in answers[10]
    assert '"currency_code":"eur","balance":40,"transaction_groups":[{"id":"sc_trxg_' in answers[10]
    order = Order.objects.get()
    assert f'"id":"{order.pk}","display_id":1,"email":"nell@example.com"' in answers[11]
    assert '"total":25.92' in answers[11]
    assert '"payment_status":"authorized"' in answers[11]
    assert '"fulfillment_status":"not_fulfilled"' in answers[11]
    assert '"title":"Assam Mangalam","quantity":2' in answers[11]
    assert answers[11].endswith(f'{{"type":"order","order":{{"id":"{order.pk}","display_id":1}}}}')
    stub = f'{{"order":{{"id":"{order.pk}","display_id":1,"email":"n•••@example.com","total":null}}}}'
    assert answers[12] == f'{stub}{{"order":{{"id":"{order.pk}"}}}}'
    assert OrderTransfer.objects.get().status == "canceled"
    assert answers[13] == '{"success":true}'


def test_the_curl_lines_of_other_pages_answer_as_described(environment: dict[str, str]) -> None:
    (first,) = (run(["sh", "-e"], text, environment) for text in examples(README, "sh"))
    assert first.startswith('{"products":[{"id":"prod_')
    assert '"calculated_price":{"id":"pset_' in first
    assert '"currency_code":"eur"' in first
    listed = run(["sh", "-e"], examples(GRAPHQL, "sh")[0], environment)
    assert listed.startswith('{"data":{"productCategories":{"count":7,"productCategories":[{"name":"Tea"},')


def test_the_graphql_documents_answer_as_described(environment: dict[str, str]) -> None:
    answers = [post(text, environment) for text in examples(GRAPHQL, "graphql")]
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


def test_the_graphql_operations_lead_to_the_order_of_a_customer(environment: dict[str, str]) -> None:
    answers = run(["sh", "-e"], examples(GRAPHQL, "sh")[1], environment).splitlines()
    shipped, paid, done, listed = (orjson.loads(answer)["data"] for answer in answers)
    assert shipped == {"addShippingMethod": {"cart": {"total": 18.95}}}
    assert paid == {"createPaymentSession": {"paymentCollection": {"amount": 18.95}}}
    (line,) = done["completeCart"]["order"].pop("items")
    assert line == {"title": "Assam Mangalam", "quantity": 2, "total": 15}
    order = Order.objects.get()
    assert order.customer is not None
    placed = {"id": order.pk, "displayId": 1, "total": 18.95, "currencyCode": "gbp", "paymentStatus": "authorized"}
    assert done["completeCart"] == {"type": "order", "order": placed, "cart": None, "error": None}
    mine = {"displayId": 1, "total": 18.95, "items": [{"title": line["title"]}]}
    assert listed == {"orders": {"count": 1, "orders": [mine]}}


def test_the_graphql_operations_bring_a_guests_order_into_the_account(environment: dict[str, str]) -> None:
    (document,) = re.findall(r"<<'EOF'\n(.*?)^EOF$", examples(GRAPHQL, "sh")[1], re.DOTALL | re.MULTILINE)
    customer, cart = CustomerFactory(email="mia@example.com"), ready_cart()
    key, token = environment["KEY"], token_of(customer)

    def ask(operation: str, **variables: str) -> Any:
        body = {"query": document, "operationName": operation, "variables": variables}
        credentials = ["-H", f"x-publishable-api-key: {key}", "-H", f"authorization: Bearer {token}"]
        answer = send("/graphql", body, environment, *credentials, "-H", "x-graphql-request: true")
        assert list(answer) == ["data"], answer
        return answer["data"]

    order = ask("PlaceOrder", cart=cart.pk)["completeCart"]["order"]["id"]
    assert ask("MyOrders")["orders"]["count"] == 0  # a guest's cart became a guest's order
    asked = ask("RequestOrder", order=order)["requestOrderTransfer"]["order"]
    assert asked == {"id": order, "email": "a•••@example.com"}
    mail = render_transfer_mail(OrderTransfer.objects.get().pk, 1)
    assert mail is not None
    accepted = ask("AcceptTransfer", order=order, token=mail.context["token"])["acceptOrderTransfer"]["order"]
    assert accepted == {"id": order, "customerId": customer.pk}
    assert ask("MyOrders")["orders"]["count"] == 1


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
