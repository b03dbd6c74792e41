"""Gift cards and store credit over HTTP: exact answers, and what is refused."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.cards import cancellation
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from kit.domain.actor import SYSTEM
from kit.values.timestamps import isoformat, now
from tests.contract.callers import Caller, invalid, refusal, reported
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import bought_gift_card, gift_card, store_credit
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

CARDS, ACCOUNTS = "/store/gift-cards", "/store/store-credit-accounts"
UNAUTHORIZED = (401, "text/plain", b"Unauthorized")


def redeem(caller: Caller, named: str, body: Any = b"", **options: str) -> Any:
    return caller.post(f"{CARDS}/{named}/redeem", body, **options)


def shown(card: GiftCard, **differing: Any) -> dict[str, Any]:
    """The scalars of a card, as shown to those to whom it does not belong."""
    card.refresh_from_db()
    return {
        "id": card.pk,
        "code": card.code,
        "status": card.status,
        "value": float(card.value),
        "currency_code": card.currency_id,
        "customer_id": None,
        "reference_id": None,
        "reference": None,
        "note": None,
        "expires_at": card.expires_at and isoformat(card.expires_at),
        "created_at": isoformat(card.created_at),
        "updated_at": isoformat(card.updated_at),
        **differing,
    }


class TestRetrieval:
    @pytest.mark.parametrize("spelling", ["{id}", "{code}", "{lower}", "%20{lower}%20"])
    def test_a_card_is_shown_to_anyone_who_knows_its_id_or_code(self, spelling: str, anybody: Caller) -> None:
        card = gift_card("49.99", expires_at=now() + timedelta(days=1))
        named = spelling.format(id=card.pk, code=card.code, lower=card.code.lower())
        response = anybody.get(f"{CARDS}/{named}")
        assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
        assert response.json() == {"gift_card": shown(card)}

    @pytest.mark.parametrize("named", ["GIFT-NONE", "gcard_01NONE", "%20", "'", "é", "x" * 5000, "gcard_%F0%9F%99%82"])
    def test_what_names_no_card_is_not_found(self, named: str, anybody: Caller) -> None:
        gift_card()
        response = anybody.get(f"{CARDS}/{named}")
        status, message = refusal(response)
        assert (status, response.json()["type"]) == (404, "not_found")
        assert message.startswith("Gift card with id: ")

    def test_a_nul_is_refused(self, anybody: Caller) -> None:
        assert refusal(anybody.get(f"{CARDS}/a%00b")) == invalid("NUL character in the path")

    def test_fields_are_chosen_and_metadata_comes_by_request_alone(self, by_ann: Caller, ann: Customer) -> None:
        card = gift_card(customer_id=ann.pk, metadata={"from": "Bob"})
        whole, chosen = (by_ann.get(f"{CARDS}/{card.pk}", query).json() for query in ("", "fields=metadata,value"))
        assert "metadata" not in whole["gift_card"]
        assert chosen == {"gift_card": {"id": card.pk, "value": 50, "metadata": {"from": "Bob"}}}
        unknown = by_ann.get(f"{CARDS}/{card.pk}", "fields=unit,line_item.cart")
        assert refusal(unknown) == (400, "Requested fields [unit, line_item.cart] are not valid")


class TestRedemption:
    def test_the_answer_is_the_card_with_its_customer_and_line(self, by_ann: Caller, ann: Customer) -> None:
        card = gift_card(20, note="Happy birthday", reference="order", reference_id="order_1")
        response = redeem(by_ann, card.code.lower())
        assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
        customer = by_ann.get("/store/customers/me", "fields=-addresses").json()["customer"]
        own = {"customer_id": ann.pk, "note": "Happy birthday", "reference": "order", "reference_id": "order_1"}
        expected = shown(card, status="redeemed", **own, customer=customer, line_item=None)
        assert response.json() == {"gift_card": expected}

    def test_the_line_is_the_one_that_was_bought(self, by_ann: Caller) -> None:
        made = placed(make.sold_variant(50, title="Voucher"))
        answer = redeem(by_ann, bought_gift_card(made.items.get()).code).json()["gift_card"]
        [line] = by_ann.get(f"/store/orders/{made.pk}").json()["order"]["items"]
        assert answer["line_item"] == {name: line[name] for name in answer["line_item"]}
        assert {"order_id", "gift_cards"}.isdisjoint(answer["line_item"])

    @pytest.mark.parametrize("body", [b"", b"{}"])
    def test_the_body_may_be_absent_or_empty(self, body: bytes, by_ann: Caller) -> None:
        assert redeem(by_ann, gift_card().pk, body).status_code == 200

    def test_the_body_holds_nothing(self, by_ann: Caller) -> None:
        card = gift_card()
        assert refusal(redeem(by_ann, card.pk, {"amount": 5})) == invalid("Unrecognized fields: 'amount'")
        assert not StoreCreditAccount.objects.exists()

    def test_what_cannot_be_redeemed_is_reported_why(self, by_ann: Caller, by_bob: Caller, bob: Customer) -> None:
        bound, expired, canceled, redeemed = gift_card(customer_id=bob.pk), gift_card(), gift_card(), gift_card()
        GiftCard.objects.filter(pk=expired.pk).update(expires_at=now() - timedelta(seconds=1))
        cancellation.cancel(actor=SYSTEM, card_id=canceled.pk)
        redeem(by_bob, redeemed.pk)
        entries = list(Transaction.objects.values())
        for card, status, kind, message in (
            (bound, 404, "not_found", f"Gift card with id: {bound.code} was not found"),
            (expired, 400, "not_allowed", "Gift card has expired"),
            (canceled, 400, "not_allowed", "Gift card is canceled"),
            (redeemed, 400, "not_allowed", "Gift card is already redeemed"),
        ):
            before = GiftCard.objects.values().get(pk=card.pk)
            response = redeem(by_ann, card.code)
            assert (response.status_code, response.json()) == (status, {"type": kind, "message": message})
            assert GiftCard.objects.values().get(pk=card.pk) == before
        assert list(Transaction.objects.values()) == entries

    def test_nobody_redeems_without_signing_in_as_a_customer(self, anybody: Caller, by_staff: Caller) -> None:
        card = gift_card()
        for caller in (anybody, by_staff):
            assert reported(redeem(caller, card.code)) == UNAUTHORIZED
        card.refresh_from_db()
        assert card.status == "pending"

    def test_bad_fields_redeem_nothing(self, by_ann: Caller) -> None:
        card = gift_card()
        assert refusal(redeem(by_ann, card.pk, query="fields=nope")) == (400, "Requested fields [nope] are not valid")
        assert not StoreCreditAccount.objects.exists()

    def test_a_key_gives_the_same_answer_and_one_credit(self, by_ann: Caller) -> None:
        card = gift_card(20)
        first, second = (redeem(by_ann, card.code, Idempotency_Key="k" * 20) for _ in range(2))
        assert (first.status_code, second["Idempotent-Replayed"]) == (200, "true")
        assert (second.status_code, second.content) == (first.status_code, first.content)
        assert [entry.amount for entry in Transaction.objects.all()] == [20]
        other = redeem(by_ann, gift_card().code, Idempotency_Key="k" * 20)
        assert (other.status_code, other.json()["type"], other.json()["code"]) == (
            422,
            "duplicate_error",
            "invalid_request_error",
        )
        assert Transaction.objects.count() == 1


class TestAccounts:
    def test_an_account_is_shown_with_its_customer(self, by_ann: Caller, ann: Customer) -> None:
        account = store_credit(ann, "100.25")
        customer = by_ann.get("/store/customers/me", "fields=-addresses").json()["customer"]
        expected = {
            "id": account.pk,
            "customer_id": ann.pk,
            "currency_code": "usd",
            "metadata": None,
            "credits": 100.25,
            "debits": 0,
            "balance": 100.25,
            "created_at": isoformat(account.created_at),
            "updated_at": isoformat(account.updated_at),
            "customer": customer,
        }
        one, listed = by_ann.get(f"{ACCOUNTS}/{account.pk}"), by_ann.get(ACCOUNTS)
        assert one.json() == {"store_credit_account": expected}
        numbers = {"count": 1, "estimate_count": 1, "offset": 0, "limit": 15}
        assert listed.json() == {"store_credit_accounts": [expected], **numbers}
        assert one["Cache-Control"] == listed["Cache-Control"] == "no-store"

    def test_groups_tell_where_the_credit_comes_from(self, by_ann: Caller, ann: Customer) -> None:
        card = gift_card(20)
        redeem(by_ann, card.code)
        account = store_credit(ann, 5)
        store_credit(ann, "-22.5")
        read = by_ann.get(f"{ACCOUNTS}/{account.pk}", "fields=credits,debits,balance,*transaction_groups")
        answer = read.json()["store_credit_account"]
        assert {name: answer[name] for name in ("credits", "debits", "balance")} == {
            "credits": 25,
            "debits": 22.5,
            "balance": 2.5,
        }
        first, second = answer["transaction_groups"]
        assert list(first) == ["id", "code", "metadata", "credits", "debits", "balance", "created_at", "updated_at"]
        assert first["code"] == f"gift_card:{card.pk}"
        assert [(group["credits"], group["debits"], group["balance"]) for group in (first, second)] == [
            (20, 20, 0),
            (5, 2.5, 2.5),
        ]
        back = by_ann.get(f"{ACCOUNTS}/{account.pk}", "fields=transaction_groups.account.balance").json()
        assert back["store_credit_account"]["transaction_groups"][0]["account"] == {"id": account.pk}

    @pytest.fixture
    def three(self, ann: Customer) -> dict[str, StoreCreditAccount]:
        made = {code: store_credit(ann, amount, currency_code=code) for code, amount in AMOUNTS.items()}
        for days, account in enumerate(made.values()):
            moment = now() - timedelta(days=10 * days)
            StoreCreditAccount.objects.filter(pk=account.pk).update(created_at=moment)
        return made

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("", ["usd", "eur", "jpy"]),
            ("currency_code=EUR", ["eur"]),
            ("currency_code[]=usd&currency_code[]=JPY", ["usd", "jpy"]),
            ("currency_code=gbp", []),
            ("created_at[$lt]={recently}", ["eur", "jpy"]),
            ("created_at[$gte]={recently}", ["usd"]),
            ("updated_at[$gt]=2020-01-01", ["usd", "eur", "jpy"]),
            ("order=-balance", ["jpy", "usd", "eur"]),
            ("order=credits", ["eur", "usd", "jpy"]),
            ("order=-created_at&limit=1&offset=1", ["eur"]),
            ("order=customer.email", ["usd", "eur", "jpy"]),
            ("order=-customer.email&limit=2&offset=1", ["eur", "usd"]),
            ("$or[0][currency_code]=usd&$or[1][created_at][$lt]={recently}", ["usd", "eur", "jpy"]),
            ("$and[0][currency_code][]=usd&$and[0][currency_code][]=eur&$and[1][created_at][$lt]={recently}", ["eur"]),
            ("id={usd}", ["usd"]),
            ("limit=0", []),
        ],
    )
    def test_the_list_is_filtered_sorted_and_paged(
        self, query: str, expected: list[str], three: dict[str, StoreCreditAccount], by_ann: Caller
    ) -> None:
        store_credit(CustomerFactory(), currency_code="gbp")
        filled = query.format(recently=(now() - timedelta(days=5)).date(), usd=three["usd"].pk)
        listed = by_ann.get(ACCOUNTS, filled).json()["store_credit_accounts"]
        assert [account["currency_code"] for account in listed] == expected

    @pytest.mark.parametrize(
        ("query", "message"),
        [
            ("customer_id=cus_1", "Invalid request: Unrecognized fields: 'customer_id'"),
            ("$or[0][customer_id]=cus_1", "Invalid request: Unrecognized fields: 'customer_id'"),
            ("balance[$gt]=5", "Invalid request: Unrecognized fields: 'balance'"),
            ("created_at=soon", "Invalid request: Expected type: 'date' for field 'created_at', got: 'soon'"),
            ("created_at[$nope]=2020-01-01", "Invalid request: Unrecognized operator '$nope' for field 'created_at'"),
            ("created_at[gt]=2020-01-01", "Invalid request: Unrecognized operator 'gt' for field 'created_at'"),
            (
                "created_at[$gt]=2020-02-30",
                "Invalid request: Expected type: 'date' for field 'created_at', got: '2020-02-30'",
            ),
            ("$or[0][q]=usd", "Invalid request: Unrecognized fields: 'q'"),
            ("q=usd", "Invalid request: Unrecognized fields: 'q'"),
            ("limit=-1", "Invalid request: Value for field 'limit' too small, expected at least: '0'"),
            ("limit=1001", "Invalid request: Value for field 'limit' too big, expected at most: '1000'"),
            ("offset=-1", "Invalid request: Value for field 'offset' too small, expected at least: '0'"),
            ("order=", "Order field  is not valid"),
            ("order=name,-created_at", "Order field name,-created_at is not valid"),
            ("order=transaction_groups.code", "Order field transaction_groups.code is not valid"),
            ("fields=gift_card_id", "Requested fields [gift_card_id] are not valid"),
        ],
    )
    def test_what_the_list_does_not_offer_is_refused(self, query: str, message: str, by_ann: Caller) -> None:
        assert refusal(by_ann.get(ACCOUNTS, query)) == (400, message)


AMOUNTS: dict[str, Any] = {"usd": 20, "eur": "3.5", "jpy": 500}


class TestCarts:
    """What pays for a cart, over its sub-routes."""

    @pytest.fixture
    def path(self, ann: Customer) -> str:
        """Ann's cart, of 80 dollars."""
        return f"/store/carts/{make.cart(make.sold_variant(80), actor=make.shopper(customer_id=ann.pk)).pk}"

    def paid(self, response: Any) -> tuple[float, float, list[tuple[str, float]]]:
        """What is left to pay, what credit pays, and each credit line."""
        assert response.status_code == 200, response.content
        assert response["Cache-Control"] == "no-store"
        cart = response.json()["cart"]
        lines = sorted((line["reference"], line["amount"]) for line in cart["credit_lines"])
        return cart["total"], cart["credit_line_total"], lines

    def test_cards_and_store_credit_pay_until_they_are_taken_off(
        self, path: str, by_ann: Caller, ann: Customer
    ) -> None:
        store_credit(ann, 100)
        small, large = gift_card(10), gift_card(30)
        cards, credit = f"{path}/gift-cards", f"{path}/store-credits"
        assert self.paid(by_ann.post(cards, {"code": large.code.lower()})) == (50, 30, [("gift-card", 30)])
        both = [("gift-card", 10), ("gift-card", 30)]
        assert self.paid(by_ann.post(cards, {"code": small.pk})) == (40, 40, both)
        assert self.paid(by_ann.post(credit, {"amount": 12.5})) == (27.5, 52.5, [*both, ("store-credit", 12.5)])
        assert self.paid(by_ann.post(credit)) == (0, 80, [*both, ("store-credit", 40)])
        assert self.paid(by_ann.post(credit, {"amount": None})) == (0, 80, [*both, ("store-credit", 40)])
        rest = [("gift-card", 10), ("store-credit", 70)]
        assert self.paid(by_ann.send("DELETE", cards, {"code": large.code})) == (0, 80, rest)
        assert self.paid(by_ann.send("DELETE", credit)) == (70, 10, [("gift-card", 10)])
        assert self.paid(by_ann.send("DELETE", credit)) == (70, 10, [("gift-card", 10)])

    def test_the_same_card_again_changes_nothing(self, path: str, by_ann: Caller) -> None:
        card = gift_card(10)
        first, again = (by_ann.post(f"{path}/gift-cards", {"code": card.code}) for _ in range(2))
        assert (again.status_code, again.json()) == (first.status_code, first.json())

    def test_a_guest_pays_by_card(self, anybody: Caller) -> None:
        cart = make.cart(make.sold_variant(80))
        response = anybody.post(f"/store/carts/{cart.pk}/gift-cards", {"code": gift_card(10).code})
        assert self.paid(response) == (70, 10, [("gift-card", 10)])

    def test_a_card_that_cannot_pay_is_reported_why(self, path: str, by_ann: Caller, bob: Customer) -> None:
        bound, foreign, expired, canceled = (
            gift_card(customer_id=bob.pk),
            gift_card(currency_code="eur"),
            gift_card(),
            gift_card(),
        )
        GiftCard.objects.filter(pk=expired.pk).update(expires_at=now() - timedelta(seconds=1))
        cancellation.cancel(actor=SYSTEM, card_id=canceled.pk)
        for code, status, kind, message in (
            ("GIFT-NONE", 404, "not_found", "Gift card with id: GIFT-NONE was not found"),
            ("", 404, "not_found", "Gift card with id:  was not found"),
            (bound.code, 404, "not_found", f"Gift card with id: {bound.code} was not found"),
            (foreign.code, 400, "invalid_data", "Gift card is in eur, the cart in usd"),
            (expired.code, 400, "not_allowed", "Gift card has expired"),
            (canceled.code, 400, "not_allowed", "Gift card is canceled"),
        ):
            response = by_ann.post(f"{path}/gift-cards", {"code": code})
            assert (response.status_code, response.json()) == (status, {"type": kind, "message": message}), code
        assert by_ann.get(path).json()["cart"]["credit_lines"] == []

    def test_whether_a_card_exists_is_not_reported_by_taking_it_off(self, path: str, by_ann: Caller) -> None:
        for code in (gift_card().code, gift_card().pk, "GIFT-NONE"):
            response = by_ann.send("DELETE", f"{path}/gift-cards", {"code": code})
            assert refusal(response) == (404, f"Gift card with id: {code} was not found")

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'code' is required"),
            ({"code": None}, "Expected type: 'string' for field 'code', got: 'null'"),
            ({"code": 5}, "Expected type: 'string' for field 'code', got: '5'"),
            ({"code": "a" * 256}, "Value for field 'code' too big, expected at most: '255' characters"),
            ({"code": "a\0"}, "NUL character in field 'code'"),
            ({"code": "a", "amount": 1}, "Unrecognized fields: 'amount'"),
        ],
    )
    def test_the_body_names_a_card(self, body: Any, message: str, path: str, by_ann: Caller) -> None:
        for method in ("POST", "DELETE"):
            assert refusal(by_ann.send(method, f"{path}/gift-cards", body)) == invalid(message)

    @pytest.mark.parametrize(
        ("amount", "message"),
        [
            (-1, "Amount must be greater than 0"),
            (0, "Amount must be greater than 0"),
            (-0.0, "Amount must be greater than 0"),
            (0.001, "Value for field 'amount' has more than 2 decimals of usd"),
            (0.3 + 2e-9, "Value for field 'amount' has more than 2 decimals of usd"),
            (10**12, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
            (1e300, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
            (-1e300, "Value for field 'amount' is out of bounds, at most 100000000000 is accepted"),
            ("5", "Invalid request: Expected type: 'number' for field 'amount', got: '5'"),
            (True, "Invalid request: Expected type: 'number' for field 'amount', got: 'true'"),
            ([5], "Invalid request: Expected type: 'number' for field 'amount', got: '5'"),
        ],
    )
    def test_an_amount_that_cannot_be_paid_is_refused(
        self, amount: Any, message: str, path: str, by_ann: Caller, ann: Customer
    ) -> None:
        store_credit(ann, 100)
        assert refusal(by_ann.post(f"{path}/store-credits", {"amount": amount})) == (400, message)
        assert by_ann.get(path).json()["cart"]["credit_lines"] == []

    @pytest.mark.parametrize("body", [b'{"amount": 1e999}', b'{"amount": ' + b"9" * 400 + b"}", b'{"amount": NaN}'])
    def test_a_number_beyond_all_others_is_refused(self, body: bytes, path: str, by_ann: Caller, ann: Customer) -> None:
        store_credit(ann, 100)
        assert refusal(by_ann.post(f"{path}/store-credits", body))[0] == 400

    def test_store_credit_that_is_not_there_is_refused(self, path: str, by_ann: Caller, ann: Customer) -> None:
        credit = f"{path}/store-credits"
        none = by_ann.post(credit)
        assert (refusal(none), none.json()["type"]) == (
            (404, "Store credit account in usd was not found"),
            "not_found",
        )
        store_credit(ann, 10)
        more = by_ann.post(credit, {"amount": 10.01})
        assert refusal(more) == (400, "Amount is greater than the store credit account balance")
        assert more.json()["type"] == "not_allowed"
        store_credit(ann, -10)
        assert refusal(by_ann.post(credit)) == (400, "Store credit account has no balance")
        assert refusal(by_ann.post(credit, {"nope": 1})) == invalid("Unrecognized fields: 'nope'")
        assert StoreCreditAccount.objects.get().credits == Decimal(10)

    def test_a_cart_of_nobody_takes_no_store_credit(self, by_ann: Caller, anybody: Caller, ann: Customer) -> None:
        store_credit(ann)
        path = f"/store/carts/{make.cart(make.sold_variant()).pk}/store-credits"
        assert refusal(by_ann.post(path)) == (400, "Cart's customer must be set to add store credits")
        for method in ("POST", "DELETE"):
            assert reported(anybody.send(method, path)) == UNAUTHORIZED

    @pytest.mark.parametrize("below", ["gift-cards", "store-credits"])
    def test_an_unknown_cart_is_not_found(self, below: str, by_ann: Caller) -> None:
        for method in ("POST", "DELETE"):
            body = {"code": gift_card().code} if below == "gift-cards" else b""
            response = by_ann.send(method, f"/store/carts/cart_01NONE/{below}", body)
            assert refusal(response) == (404, "Cart with id: cart_01NONE was not found")
