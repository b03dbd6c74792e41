"""Gift cards and store credit in GraphQL: the same verbs, answers and refusals as over REST."""

from typing import Any

import pytest

from customers.models import Customer
from giftcards.api.resources import REDEEMED_GIFT_CARDS
from giftcards.models import Transaction
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.customers import IdentityFactory, registration_token
from tests.factories.giftcards import bought_gift_card, gift_card, store_credit
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized, refused
from tests.kit.graphql.writing import members
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

REDEEM = f"""mutation ($code: ID!) {{ redeemGiftCard(idOrCode: $code) {{
  gift_card: giftCard {{ {members(REDEEMED_GIFT_CARDS.field_set.parse(None))} }} }} }}"""
CARD = f"""query ($code: ID!) {{
  gift_card: giftCard(idOrCode: $code) {{ {members(REDEEMED_GIFT_CARDS.field_set.parse("*line_item.detail"))} }} }}"""
ACCOUNTS = """{ me { storeCreditAccounts { currencyCode balance
  transactionGroups { code credits account { id __typename } } customer { id } } } }"""


@pytest.mark.parametrize("spelling", [str, str.lower, " {} ".format])
def test_a_card_is_what_rest_shows(spelling: Any, by_ann: Caller, ann: Customer) -> None:
    line = placed().items.get()
    card = bought_gift_card(line, customer_id=ann.pk, note="For you")
    shown = data(ask(by_ann, CARD, {"code": spelling(card.code)}))
    assert shown == by_ann.get(f"/store/gift-cards/{card.pk}", "fields=*customer,*line_item,*line_item.detail").json()


def test_redeeming_answers_as_rest_does(by_ann: Caller, ann: Customer) -> None:
    card = gift_card(20)
    shown = data(ask(by_ann, REDEEM, {"code": card.code.lower()}))["redeemGiftCard"]
    assert shown["gift_card"]["status"] == "redeemed"
    assert shown == by_ann.get(f"/store/gift-cards/{card.pk}", "fields=*customer,*line_item").json()
    again = ask(by_ann, REDEEM, {"code": card.code})
    assert failures(again) == [("redeemGiftCard", "Gift card is already redeemed", {"type": "not_allowed"})]
    assert [entry.amount for entry in Transaction.objects.all()] == [20]


def test_a_key_gives_the_same_answer_and_one_credit(by_ann: Caller) -> None:
    card = gift_card(20)
    first, second = (ask(by_ann, REDEEM, {"code": card.code}, Idempotency_Key="k" * 20) for _ in range(2))
    assert data(first)["redeemGiftCard"]["gift_card"]["id"] == card.pk
    assert (second.content, second["Idempotent-Replayed"]) == (first.content, "true")
    assert Transaction.objects.count() == 1


def test_me_leads_to_store_credit(by_ann: Caller, ann: Customer) -> None:
    account = store_credit(ann, "3.5", currency_code="eur")
    card = gift_card(20)
    ask(by_ann, REDEEM, {"code": card.code})
    euros, dollars = data(ask(by_ann, ACCOUNTS))["me"]["storeCreditAccounts"]
    assert (euros["currencyCode"], euros["balance"], euros["customer"]) == ("eur", 3.5, {"id": ann.pk})
    assert euros["transactionGroups"][0]["account"] == {"id": account.pk, "__typename": "StoreCreditAccount"}
    assert dollars["balance"] == 20
    assert [group["code"] for group in dollars["transactionGroups"]] == [f"gift_card:{card.pk}"]


def test_carts_are_paid_as_over_rest(by_ann: Caller, ann: Customer) -> None:
    store_credit(ann, 100)
    card = gift_card(30)
    cart = make.cart(make.sold_variant(80), actor=make.shopper(customer_id=ann.pk)).pk

    def change(field: str, given: str = "") -> Any:
        arguments = f'id: "{cart}"' + (f", input: {{{given}}}" if given else "")
        document = f"mutation {{ {field}({arguments}) {{ cart {{ total creditLines {{ reference amount }} }} }} }}"
        shown = data(ask(by_ann, document))[field]["cart"]
        return shown["total"], sorted((line["reference"], line["amount"]) for line in shown["creditLines"])

    card_line = ("gift-card", 30)
    assert change("addGiftCardToCart", f'code: "{card.code.lower()}"') == (50, [card_line])
    assert change("addGiftCardToCart", f'code: "{card.pk}"') == (50, [card_line])
    assert change("addStoreCreditToCart", "amount: 12.5") == (37.5, [card_line, ("store-credit", 12.5)])
    assert change("addStoreCreditToCart", "amount: 7") == (43, [card_line, ("store-credit", 7)])
    assert change("addStoreCreditToCart") == (0, [card_line, ("store-credit", 50)])
    assert change("removeGiftCardFromCart", f'code: "{card.code}"') == (0, [("store-credit", 80)])
    assert change("removeStoreCreditFromCart") == (80, [])


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("-1", "Amount must be greater than 0"),
        ("0", "Amount must be greater than 0"),
        ("0.001", "Value for field 'amount' has more than 2 decimals of usd"),
        ("1e12", "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
        ("1" + "0" * 400, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
        ("9" * 5000, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
        ("1e999", "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
        ("101", "Amount is greater than the store credit account balance"),
    ],
)
def test_an_amount_that_cannot_be_paid_is_refused(amount: str, message: str, by_ann: Caller, ann: Customer) -> None:
    store_credit(ann, 100)
    cart = make.cart(make.sold_variant(80), actor=make.shopper(customer_id=ann.pk)).pk
    field = f'addStoreCreditToCart(id: "{cart}", input: {{amount: {amount}}}) {{ cart {{ id }} }}'
    ((_, reported, _),) = failures(ask(by_ann, f"mutation {{ {field} }}"))
    assert reported == message


@pytest.mark.parametrize("amount", ['"5"', "true", "[]"])
def test_what_is_no_number_is_refused(amount: str, by_ann: Caller) -> None:
    field = f'addStoreCreditToCart(id: "cart_1", input: {{amount: {amount}}}) {{ cart {{ id }} }}'
    response = ask(by_ann, f"mutation {{ {field} }}")
    assert response.status_code in (200, 400), response.content
    assert [each["extensions"]["type"] for each in response.json()["errors"]] == ["invalid_data"]


@pytest.mark.parametrize(
    "field",
    [
        'redeemGiftCard(idOrCode: "x") { giftCard { id } }',
        'addStoreCreditToCart(id: "x") { cart { id } }',
        'removeStoreCreditFromCart(id: "x") { cart { id } }',
    ],
)
def test_what_is_a_customers_own_is_for_nobody_else(field: str, anybody: Caller, by_staff: Caller) -> None:
    newcomer = Caller(Authorization=f"Bearer {registration_token(IdentityFactory())}")
    assert is_unauthorized(ask(anybody, f"mutation {{ {field} }}"))
    for caller in (by_staff, newcomer):
        name = field.partition("(")[0]
        assert failures(ask(caller, f"mutation {{ {field} }}")) == [(name, "Unauthorized", {"type": "unauthorized"})]


def test_a_card_is_asked_for_by_id_or_code_alone(anybody: Caller) -> None:
    card = gift_card()
    assert refused(ask(anybody, f'{{ giftCard(id: "{card.pk}") {{ id }} }}'))
    assert refused(ask(anybody, "{ giftCards { count } }"))
    for named in ("gcard_01NONE", "GIFT-NONE", ""):
        ((field, message, extensions),) = failures(ask(anybody, f'{{ giftCard(idOrCode: "{named}") {{ id }} }}'))
        assert (field, extensions) == ("giftCard", {"type": "not_found"})
        assert message.startswith("Gift card with id: ")
