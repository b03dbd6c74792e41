"""What is whose: cards, accounts, groups and lines of others show nowhere, over no path and no relation."""

from typing import Any

import pytest

from customers.models import Customer
from giftcards.models import GiftCard, StoreCreditAccount, TransactionGroup
from orders.models import OrderLineItem
from tests.auth.conftest import limits
from tests.contract.callers import Caller, refusal, storefront
from tests.customers.conftest import signed_in
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.carts import PromotionFactory
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import bought_gift_card, gift_card, store_credit
from tests.kit.graphql.calls import ask, data, failures, is_unauthorized
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db

CARDS, ACCOUNTS = "/store/gift-cards", "/store/store-credit-accounts"
PRIVATE = ("customer_id", "reference_id", "reference", "note", "metadata", "customer", "line_item")
PRIVATE_FIELDS = "fields=" + ",".join((*PRIVATE[:5], "*customer", "*line_item", "*line_item.detail"))
IN_GRAPHQL = """{{ giftCard(idOrCode: "{code}") {{
  customer_id: customerId reference_id: referenceId reference note metadata
  customer {{ id email storeCreditAccounts {{ id balance }} }}
  line_item: lineItem {{ id title detail {{ quantity item {{ title }} }} }} }} }}"""


def private(caller: Caller, card: GiftCard) -> dict[str, Any]:
    """What is private of the card, as both transports show it to the caller; they must agree."""
    response = caller.get(f"{CARDS}/{card.code}", PRIVATE_FIELDS)
    assert response.status_code == 200, response.content
    rest = {name: response.json()["gift_card"][name] for name in PRIVATE}
    graphql = data(ask(caller, IN_GRAPHQL.format(code=card.code)))["giftCard"]
    assert {name: value is None for name, value in graphql.items()} == {
        name: value is None for name, value in rest.items()
    }
    return rest


@pytest.fixture(autouse=True)
def patient(settings: Any) -> None:
    """So many misses as these tests need."""
    settings.THROTTLES = settings.THROTTLES | limits(account=100, client=100) | {"gift_card_misses": (100, 900)}


@pytest.fixture
def strangers(by_bob: Caller, anybody: Caller, by_staff: Caller) -> list[Caller]:
    """Callers who are not Ann."""
    return [by_bob, anybody, by_staff]


@pytest.fixture
def carol(db: None) -> Customer:
    """She buys gift cards for others."""
    return CustomerFactory(email="carol@example.com")


@pytest.fixture
def line(carol: Customer) -> OrderLineItem:
    """A voucher of Carol's order, with tax and a promotion."""
    PromotionFactory(code="SAVE")
    region = make.selling_region(tax_rate=5)
    cart = make.cart(
        make.sold_variant(title="Voucher"),
        actor=make.shopper(customer_id=carol.pk),
        email=carol.email,
        region_id=region.pk,
        promo_codes=["SAVE"],
    )
    return placed(cart=cart).items.get()  # type: ignore[no-any-return]


@pytest.fixture
def details(line: OrderLineItem) -> dict[str, Any]:
    """Words of a card that are for its customer alone."""
    return {"note": "For you", "reference": "order", "reference_id": "order_1", "metadata": {"a": 1}}


class TestMasks:
    def test_whom_a_card_is_bound_to_is_shown_all_of_it(
        self, by_ann: Caller, ann: Customer, line: OrderLineItem, details: dict[str, Any]
    ) -> None:
        card = bought_gift_card(line, customer_id=ann.pk, **details)
        shown = private(by_ann, card)
        assert {name: shown[name] for name in details} == details
        assert (shown["customer_id"], shown["customer"]["email"]) == (ann.pk, "ann@example.com")
        assert (shown["line_item"]["id"], shown["line_item"]["detail"]["quantity"]) == (line.pk, 1)

    def test_a_card_that_is_nobodys_shows_none_of_it_to_anybody(
        self, by_ann: Caller, strangers: list[Caller], line: OrderLineItem, details: dict[str, Any]
    ) -> None:
        card = bought_gift_card(line, **details)
        for caller in (by_ann, *strangers):
            assert private(caller, card) == dict.fromkeys(PRIVATE)

    def test_once_redeemed_it_shows_all_to_its_redeemer_and_its_bare_facts_to_others(
        self, by_ann: Caller, strangers: list[Caller], line: OrderLineItem, details: dict[str, Any]
    ) -> None:
        card = bought_gift_card(line, **details)
        assert by_ann.post(f"{CARDS}/{card.code}/redeem").status_code == 200
        assert private(by_ann, card)["customer"]["email"] == "ann@example.com"
        for caller in strangers:
            assert private(caller, card) == dict.fromkeys(PRIVATE)
            bare = caller.get(f"{CARDS}/{card.code}").json()["gift_card"]
            assert (bare["status"], bare["value"]) == ("redeemed", 50)

    def test_a_card_that_a_guest_spends_shows_none_of_it_to_guests(
        self, anybody: Caller, line: OrderLineItem, details: dict[str, Any]
    ) -> None:
        card = bought_gift_card(line, **details)
        GiftCard.objects.filter(pk=card.pk).update(status="redeemed")
        assert private(anybody, card) == dict.fromkeys(PRIVATE)


class TestBoundCards:
    def test_another_customers_pending_card_is_nowhere(
        self, strangers: list[Caller], by_bob: Caller, ann: Customer, bob: Customer
    ) -> None:
        card = gift_card(customer_id=ann.pk)
        cart = make.cart(make.sold_variant(), actor=make.shopper(customer_id=bob.pk)).pk
        for named in (card.pk, card.code, card.code.lower()):
            expected = (404, f"Gift card with id: {named} was not found")
            for caller in strangers:
                assert refusal(caller.get(f"{CARDS}/{named}")) == expected
            assert refusal(by_bob.post(f"{CARDS}/{named}/redeem")) == expected
            for method in ("POST", "DELETE"):
                assert refusal(by_bob.send(method, f"/store/carts/{cart}/gift-cards", {"code": named})) == expected
            for field in (
                f'giftCard(idOrCode: "{named}") {{ id }}',
                f'redeemGiftCard(idOrCode: "{named}") {{ giftCard {{ id }} }}',
                f'addGiftCardToCart(id: "{cart}", input: {{code: "{named}"}}) {{ cart {{ id }} }}',
                f'removeGiftCardFromCart(id: "{cart}", input: {{code: "{named}"}}) {{ cart {{ id }} }}',
            ):
                document = f"{{ {field} }}" if field.startswith("giftCard") else f"mutation {{ {field} }}"
                assert [each[1:] for each in failures(ask(by_bob, document))] == [(expected[1], {"type": "not_found"})]
        card.refresh_from_db()
        assert card.status == "pending"

    def test_ann_may_not_pay_a_guests_cart_with_a_card_that_is_bound_to_her(
        self, by_ann: Caller, ann: Customer
    ) -> None:
        card, cart = gift_card(customer_id=ann.pk), make.cart(make.sold_variant()).pk
        response = by_ann.post(f"/store/carts/{cart}/gift-cards", {"code": card.code})
        assert refusal(response) == (404, f"Gift card with id: {card.code} was not found")


class TestLines:
    """A card that Carol has bought and that is bound to Ann."""

    def test_ann_is_shown_the_line_and_not_the_order(
        self, by_ann: Caller, ann: Customer, carol: Customer, line: OrderLineItem
    ) -> None:
        card = bought_gift_card(line, customer_id=ann.pk)
        fields = "fields=" + ",".join(
            f"line_item.{name}" for name in ("title", "detail.item.title", "tax_lines.item.id", "adjustments.item.id")
        )
        shown = by_ann.get(f"{CARDS}/{card.code}", fields).json()["gift_card"]["line_item"]
        assert shown == {
            "id": line.pk,
            "title": line.title,
            "tax_lines": [],
            "adjustments": [],
            "detail": {"id": line.detail_id, "item": {"id": line.pk, "title": line.title}},
        }
        assert line.tax_lines.exists()
        assert line.adjustments.exists()
        assert by_ann.get(f"/store/orders/{line.order_id}").status_code == 404
        assert signed_in(carol).get(f"/store/orders/{line.order_id}").status_code == 200

    def test_no_path_leads_from_the_line_to_its_order(self, by_ann: Caller, ann: Customer, line: OrderLineItem) -> None:
        card = bought_gift_card(line, customer_id=ann.pk)
        for path in ("line_item.order", "line_item.order_id", "line_item.detail.order_id", "line_item.tax_lines.order"):
            response = by_ann.get(f"{CARDS}/{card.code}", f"fields={path}")
            assert refusal(response) == (400, f"Requested fields [{path}] are not valid")

    def test_the_buyer_is_shown_the_line_of_a_card_that_is_nobodys_and_nothing_else(
        self, carol: Customer, line: OrderLineItem, details: dict[str, Any]
    ) -> None:
        shown = private(signed_in(carol), bought_gift_card(line, **details))
        assert shown.pop("line_item")["id"] == line.pk
        assert set(shown.values()) == {None}

    def test_another_line_of_the_same_order_stays_hidden(self, ann: Customer, bob: Customer, carol: Customer) -> None:
        made = placed(make.sold_variant(), make.sold_variant(), customer=carol)
        first, second = made.items.order_by("pk")
        bought_gift_card(first, customer_id=ann.pk)
        other = bought_gift_card(second, customer_id=bob.pk)
        by_ann = signed_in(ann)
        assert by_ann.get(f"{CARDS}/{other.code}", "fields=*line_item").status_code == 404
        GiftCard.objects.filter(pk=other.pk).update(status="redeemed")
        shown = by_ann.get(f"{CARDS}/{other.code}", "fields=*line_item,*customer").json()["gift_card"]
        assert (shown["line_item"], shown["customer"]) == (None, None)


class TestAccounts:
    @pytest.fixture
    def bobs(self, bob: Customer) -> StoreCreditAccount:
        return store_credit(bob, 77)

    def test_each_customer_sees_its_own_alone(
        self, by_ann: Caller, by_bob: Caller, ann: Customer, bobs: StoreCreditAccount
    ) -> None:
        anns = store_credit(ann, 33)
        for caller, own, other in ((by_ann, anns, bobs), (by_bob, bobs, anns)):
            listed = caller.get(ACCOUNTS, f"id[]={own.pk}&id[]={other.pk}").json()
            assert ([each["id"] for each in listed["store_credit_accounts"]], listed["count"]) == ([own.pk], 1)
            assert caller.get(f"{ACCOUNTS}/{own.pk}").status_code == 200
            response = caller.get(f"{ACCOUNTS}/{other.pk}", "fields=*transaction_groups")
            assert refusal(response) == (404, f"Store credit account with id: {other.pk} was not found")
            missed = ask(caller, f'{{ storeCreditAccount(id: "{other.pk}") {{ balance }} }}')
            assert failures(missed) == [
                ("storeCreditAccount", refusal(response)[1], {"type": "not_found"}),
            ]

    @pytest.mark.parametrize("query", ["with_deleted=true", "order=-balance", "$or[0][currency_code]=usd", "limit=0"])
    def test_no_parameter_widens_the_list(self, query: str, by_ann: Caller, bobs: StoreCreditAccount) -> None:
        listed = by_ann.get(ACCOUNTS, query).json()
        assert (listed["store_credit_accounts"], listed["count"]) == ([], 0)

    def test_what_a_guest_has_left_on_a_card_is_no_customers_account(self, by_ann: Caller) -> None:
        card = gift_card()
        guests = StoreCreditAccount.objects.create(gift_card=card, currency_id="usd")
        assert by_ann.get(ACCOUNTS).json()["count"] == 0
        assert by_ann.get(f"{ACCOUNTS}/{guests.pk}").status_code == 404

    def test_every_relation_stays_with_its_customer(
        self, by_ann: Caller, ann: Customer, bobs: StoreCreditAccount
    ) -> None:
        store_credit(ann, 33)
        fields = (
            "fields=*customer.store_credit_accounts.transaction_groups,"
            "*transaction_groups.account.customer.store_credit_accounts"
        )
        answer = by_ann.get(ACCOUNTS, fields)
        assert answer.status_code == 200, answer.content
        text = answer.content.decode()
        hidden = TransactionGroup.objects.get(account=bobs)
        assert all(secret not in text for secret in (bobs.pk, hidden.pk, hidden.code, "bob@example.com"))
        assert '"balance":33' in text

    @pytest.mark.parametrize("caller", ["anybody", "by_staff"])
    def test_nobody_else_sees_any(self, caller: str, request: pytest.FixtureRequest, bobs: StoreCreditAccount) -> None:
        asks: Caller = request.getfixturevalue(caller)
        for path in (ACCOUNTS, f"{ACCOUNTS}/{bobs.pk}"):
            assert (asks.get(path).status_code, asks.get(path).content) == (401, b"Unauthorized")
        for field in ("storeCreditAccounts { count }", f'storeCreditAccount(id: "{bobs.pk}") {{ id }}'):
            answer = ask(asks, f"{{ {field} }}")
            assert is_unauthorized(answer) if caller == "anybody" else failures(answer)[0][1] == "Unauthorized"

    def test_store_credit_pays_no_cart_of_somebody_else(self, by_ann: Caller, ann: Customer, bob: Customer) -> None:
        store_credit(ann)
        bobs = make.cart(make.sold_variant(), actor=make.shopper(customer_id=bob.pk)).pk
        for method in ("POST", "DELETE"):
            for below, body in (("store-credits", b""), ("gift-cards", {"code": gift_card().code})):
                response = by_ann.send(method, f"/store/carts/{bobs}/{below}", body)
                assert refusal(response) == (404, f"Cart with id: {bobs} was not found")


class TestCustomers:
    """Customers lead to their store credit by request alone, and not where an address is changed."""

    def test_it_is_no_default_of_rest(self, by_ann: Caller, ann: Customer) -> None:
        account = store_credit(ann, 5)
        me = "/store/customers/me"
        assert "store_credit_accounts" not in by_ann.get(me).json()["customer"]
        chosen = by_ann.get(me, "fields=id,store_credit_accounts.balance").json()["customer"]
        assert chosen == {"id": ann.pk, "store_credit_accounts": [{"id": account.pk, "balance": 5}]}

    @pytest.mark.parametrize("fields", ["*store_credit_accounts", "store_credit_accounts.id", "orders"])
    def test_it_cannot_be_chosen_where_an_address_is_changed(self, fields: str, by_ann: Caller) -> None:
        response = by_ann.post("/store/customers/me/addresses", {"city": "Ulm"}, query=f"fields={fields}")
        path = fields.removeprefix("*")
        assert refusal(response) == (400, f"Requested fields [{path}] are not valid")

    def test_scalars_and_addresses_can(self, by_ann: Caller) -> None:
        query = "fields=email,*addresses,default_billing_address_id"
        response = by_ann.post("/store/customers/me/addresses", {"city": "Ulm"}, query=query)
        assert list(response.json()["customer"]) == ["id", "email", "default_billing_address_id", "addresses"]

    def test_a_customer_who_is_new_has_none(self) -> None:
        by_nell = signed_in(CustomerFactory())
        assert by_nell.get(ACCOUNTS).json()["store_credit_accounts"] == []
        assert data(ask(by_nell, "{ me { storeCreditAccounts { id } } }")) == {"me": {"storeCreditAccounts": []}}


def test_one_who_knows_a_guests_cart_does_not_learn_the_id_of_a_card_on_it() -> None:
    card = gift_card(5)
    cart = make.cart(make.sold_variant(10))
    guest = storefront(publishable_key())
    put = guest.send("POST", f"/store/carts/{cart.pk}/gift-cards", {"code": card.code}).json()
    (line,) = put["cart"]["credit_lines"]
    assert (line["amount"], line["reference"], line["reference_id"]) == (5, "gift-card", None)
    assert line["metadata"] == {"code": f"…{card.code[-4:]}"}
    assert card.pk not in guest.send("GET", f"/store/carts/{cart.pk}").content.decode()


def test_nor_by_taking_the_cart_over() -> None:
    card = gift_card(5)
    cart = make.cart(make.sold_variant(10))
    storefront(publishable_key()).send("POST", f"/store/carts/{cart.pk}/gift-cards", {"code": card.code})
    by_bob = signed_in(CustomerFactory())
    taken = by_bob.send("POST", f"/store/carts/{cart.pk}/customer")
    assert taken.json()["cart"]["customer_id"] is not None
    assert card.pk not in taken.content.decode()
    assert card.pk not in by_bob.get(f"/store/carts/{cart.pk}").content.decode()
    reported = data(ask(by_bob, f'{{ cart(id: "{cart.pk}") {{ creditLines {{ amount referenceId }} }} }}'))
    assert reported == {"cart": {"creditLines": [{"amount": 5, "referenceId": None}]}}


def test_a_customer_sees_the_end_of_the_code_of_a_card_on_their_cart() -> None:
    ann = CustomerFactory()
    card = gift_card(5)
    cart = make.cart(make.sold_variant(10), actor=make.shopper(customer_id=ann.pk))
    put = signed_in(ann).send("POST", f"/store/carts/{cart.pk}/gift-cards", {"code": card.code}).json()
    (line,) = put["cart"]["credit_lines"]
    assert (line["reference_id"], line["metadata"]) == (None, {"code": f"…{card.code[-4:]}"})
