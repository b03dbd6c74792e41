"""Gift cards and store credit in the shop file: a load makes no money twice, and a dump loses none."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from commerce.auth.models import AuthIdentity
from commerce.core.actor import SYSTEM
from commerce.core.timestamps import now
from customers.models import Customer
from giftcards import adjustment, cancellation, redemption
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from giftcards.references import Reference
from giftcards.refunding import refund
from giftcards.spending import spend
from giftcards.verification import discrepancies
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.giftcards.books import balance, books, groups, unguarded
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db

KEYS = ("customers", "gift_cards", "store_credit_accounts")
ANN = "ann@example.com"
PENDING: dict[str, Any] = {"code": "TEA-1", "value": 50, "currency_code": "usd"}
REDEEMED: dict[str, Any] = {**PENDING, "code": "TEA-2", "status": "redeemed", "customer": ANN}
OPENING: dict[str, Any] = {"type": "credit", "amount": 20, "reference": "adjustment", "reference_id": "opening"}
NAMED: dict[str, Any] = {**OPENING, "group": "opening"}
PAID: dict[str, Any] = {"type": "debit", "amount": 12.5, "reference": "order", "reference_id": "1001"}
LOSSES = "the ledger: "


@pytest.fixture
def files(tmp_path: Any) -> ShopFiles:
    return ShopFiles(tmp_path)


@pytest.fixture
def ann(db: None) -> Customer:
    return CustomerFactory(email=ANN)


def cards(*objects: dict[str, Any]) -> dict[str, Any]:
    return {"gift_cards": list(objects)}


def account(*transactions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A file of Ann's account."""
    own = {"customer": ANN, "currency_code": "usd", **fields}
    return {"store_credit_accounts": [{**own, "transactions": list(transactions)}]}


def empty() -> None:
    """Leave nobody and no money."""
    with unguarded():
        for model in (Transaction, TransactionGroup, StoreCreditAccount, GiftCard, Customer, AuthIdentity):
            model._default_manager.all().delete()


@pytest.fixture
def ledger(ann: Customer) -> Customer:
    """Cards in every state, credit of every source, debits split over groups, a guest's rest, a refund; Ann."""
    bob: Customer = CustomerFactory(email="bob@example.com", has_account=False)
    early, late, guests, spent = (gift_card(value) for value in (50, "12.34", 30, 5))
    gift_card(7, note="For Bo", metadata={"a": [1, None]}, reference="order", reference_id="7", customer_id=bob.pk)
    expired = gift_card(900, currency_code="jpy", expires_at=now() + timedelta(hours=1))
    GiftCard.objects.filter(pk=expired.pk).update(expires_at=now() - timedelta(hours=1))
    cancellation.cancel(actor=SYSTEM, card_id=gift_card(9).pk)
    redemption.redeem(actor=redeemer(ann), id_or_code=early.pk)
    credit = store_credit(ann, 25)
    redemption.redeem(actor=redeemer(ann), id_or_code=late.pk)
    payer = Reference("cart", "cart_1")
    spend(actor=SYSTEM, account_id=credit.pk, amount=Decimal(80), payer=payer)
    refund(actor=SYSTEM, account_id=credit.pk, amount=Decimal("10.5"), payer=payer, refund_id="r1")
    for card, paid in ((guests, 12), (spent, 5)):
        account_id = redemption.redeem_for_guest(actor=SYSTEM, card_id=card.pk)
        spend(actor=SYSTEM, account_id=account_id, amount=Decimal(paid), payer=payer)
        refund(actor=SYSTEM, account_id=account_id, amount=Decimal(1), payer=payer, refund_id="r1")
    store_credit(bob, "0.01", currency_code="eur")
    adjustment.adjust(actor=SYSTEM, customer_id=ann.pk, currency_code="usd", amount=Decimal(-3), reason="Miscounted")
    StoreCreditAccount.objects.filter(customer=bob).update(metadata={"b": 1.5})
    return ann


class TestRoundTrip:
    def test_an_empty_shop_becomes_the_same_and_dumps_the_same_bytes(self, files: ShopFiles, ledger: Customer):
        before = [[{**row, "updated_at": None} for row in rows] for rows in books()]
        files.dump("--with-credentials", "--only", *KEYS, name="first.json")
        empty()
        files.run("load_shop", str(files.directory / "first.json"))
        files.dump("--with-credentials", "--only", *KEYS, name="second.json")
        assert (files.directory / "first.json").read_bytes() == (files.directory / "second.json").read_bytes()
        after = [[{**row, "updated_at": None} for row in rows] for rows in books()]
        for then, is_now in zip(before, after, strict=True):
            if "group_id" not in then[0] and "account_id" in then[0]:
                for row in (*then, *is_now):
                    row["created_at"] = None  # of groups, which is that of their credits
        assert after == before
        assert list(discrepancies()) == []

    def test_without_credentials_too(self, files: ShopFiles, ledger: Customer):
        first = files.dump("--only", *KEYS)
        empty()
        files.load(first)
        assert files.dump("--only", *KEYS) == first
        assert groups(StoreCreditAccount.objects.get(customer=ledger, currency="usd").pk) == [
            *(Decimal(0), Decimal(0), Decimal("4.34"), Decimal("10.5"))
        ]

    def test_a_second_load_changes_no_row(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        before = everything()
        lines = files.load(content)
        assert everything() == before
        assert lines == [f"{key}: 0 created, 0 updated, {len(objects)} unchanged" for key, objects in content.items()]

    def test_what_a_guest_has_left_can_still_be_spent(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        empty()
        files.load(content)
        rest = StoreCreditAccount.objects.get(gift_card__value=30)
        spend(actor=SYSTEM, account_id=rest.pk, amount=Decimal(19), payer=Reference("cart", "cart_2"))
        assert list(discrepancies()) == []

    def test_later_debits_take_from_the_same_groups_as_in_the_first_shop(self, files: ShopFiles, ledger: Customer):
        content = files.dump("--only", *KEYS)
        empty()
        files.load(content)
        own = StoreCreditAccount.objects.get(customer=ledger, currency="usd")
        spend(actor=SYSTEM, account_id=own.pk, amount=Decimal(5), payer=Reference("cart", "cart_3"))
        assert groups(own.pk) == [Decimal(0), Decimal(0), Decimal(0), Decimal("9.84")]

    def test_cards_and_accounts_of_erased_customers_stay_behind(self, files: ShopFiles, ledger: Customer):
        Customer.objects.filter(pk=ledger.pk).update(deleted_at=now(), email=None, has_account=False)
        content = files.dump("--only", *KEYS)
        assert {one["customer"] for one in content["gift_cards"]} == {None, "bob@example.com"}
        assert [one["customer"] for one in content["store_credit_accounts"]] == ["bob@example.com"]
        empty()
        files.load(content)


class TestGiftCards:
    def test_a_card_with_everything(self, files: ShopFiles, ann: Customer):
        said = {
            **PENDING, "id": "gcard_1", "code": " tea-1 ", "value": 12.34, "customer": "Ann@Example.com", "note": "Hi",
            "expires_at": "2020-01-01T00:00:00Z", "reference": "order", "reference_id": "7", "metadata": {"a": 1},
            "created_at": "2019-01-01T00:00:00Z",
        }  # fmt: skip
        assert files.load(cards(said)) == ["gift_cards: 1 created, 0 updated, 0 unchanged"]
        card = GiftCard.objects.get()
        assert (card.pk, card.code, card.value, card.status) == ("gcard_1", "TEA-1", Decimal("12.34"), "pending")
        assert (card.customer, card.note, card.metadata) == (ann, "Hi", {"a": 1})
        assert (card.expires_at.year, card.created_at.year) == (2020, 2019)

    def test_a_code_is_generated_and_told_once(self, files: ShopFiles):
        said = cards({"value": 5, "currency_code": "usd", "reference": "order", "reference_id": "7"})
        _, told = files.load(said)
        assert told == f"The code of the gift card for order 7 is {GiftCard.objects.get().code}"
        before = everything()
        assert files.load(said) == ["gift_cards: 0 created, 0 updated, 1 unchanged"]
        assert everything() == before

    def test_a_redeemed_card_is_credited_once(self, files: ShopFiles, ann: Customer):
        files.load(cards(REDEEMED, {**REDEEMED, "code": "TEA-3", "value": 1}))
        assert balance(ann) == 51
        before = everything()
        files.load(cards(REDEEMED, {**REDEEMED, "code": "TEA-3", "value": 1}))
        assert everything() == before

    def test_a_stored_card_stays_as_it_is_whatever_the_file_says_of_its_words(self, files: ShopFiles, ann: Customer):
        files.load(cards(PENDING))
        before = everything()
        files.load(cards({**PENDING, "note": "Other", "expires_at": "2020-01-01T00:00:00Z", "customer": ANN}))
        assert everything() == before

    @pytest.mark.parametrize("end", ["redeemed", "canceled"])
    def test_a_file_that_is_behind_does_not_bring_a_card_back(self, files: ShopFiles, ann: Customer, end: str):
        files.load(cards(PENDING))
        card = GiftCard.objects.get()
        if end == "redeemed":
            redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
        else:
            cancellation.cancel(actor=SYSTEM, card_id=card.pk)
        before = everything()
        assert files.load(cards(PENDING)) == ["gift_cards: 0 created, 0 updated, 1 unchanged"]
        assert everything() == before

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"value": 51}, "value: the gift card {id} has 50, and that cannot change"),
            ({"currency_code": "eur"}, "currency_code: the gift card {id} has usd, and that cannot change"),
            ({"status": "canceled"}, "status: the gift card {id} is pending, and stays so"),
            ({"status": "redeemed", "customer": ANN}, "status: the gift card {id} is pending, and stays so"),
            ({"id": "gcard_1", "code": "TEA-9"}, "code: the gift card gcard_1 has another, and that cannot change"),
            ({"guest_account": {}}, "guest_account: the gift card {id} has none"),
        ],
    )
    def test_a_file_that_denies_a_stored_card(self, files: ShopFiles, ann: Customer, said: Any, problem: str):
        files.load(cards({**PENDING, "id": "gcard_1"}))
        assert files.refused(cards({**PENDING, **said})) == [f"gift_cards[0].{problem.format(id='gcard_1')}"]

    def test_a_card_that_another_has_redeemed(self, files: ShopFiles, ann: Customer):
        bob = CustomerFactory(email="bob@example.com")
        files.load(cards({**REDEEMED, "customer": bob.email}))
        (problem,) = files.refused(cards(REDEEMED))
        assert problem == f"gift_cards[0].customer: the gift card {GiftCard.objects.get().pk} was redeemed by another"

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"code": None}, ".code: expected a text, got null"),
            ({"code": "TEA\0"}, ".code: must not contain NUL characters"),
            ({"code": "T" * 65}, ".code: too long, expected at most: '64' characters"),
            *(
                (
                    {"code": code},
                    ".code: is no code: it begins with a letter or digit of ASCII, not with gcard_, and has no slash",
                )
                for code in ("", " ", "ČAJ", "a/b", "gcard_1", "-A", "A\tB")
            ),
            ({"value": 0}, ".value: must be above 0"),
            ({"value": -1}, ".value: expected a number from 0 to 100000000000"),
            ({"value": "ten"}, '.value: expected a number, got "ten"'),
            ({"value": 1.005}, ".value: Value for field 'value' has more than 2 decimals of usd"),
            ({"value": 1.00005}, ".value: has more than 4 decimals"),
            ({"value": 5.5, "currency_code": "jpy"}, ".value: Value for field 'value' has more than 0 decimals of jpy"),
            ({"currency_code": "xyz"}, ".currency_code: 'xyz' is no currency code of ISO 4217"),
            ({"currency_code": None}, ".currency_code: expected a text, got null"),
            ({"status": "spent"}, '.status: expected pending or redeemed or canceled, got "spent"'),
            ({"status": "redeemed"}, ".customer: is required: a redeemed gift card was redeemed by somebody"),
            ({"customer": "nobody@example.com"}, ".customer: there is no customer 'nobody@example.com'"),
            ({"customer": "a\0"}, ".customer: must not contain NUL characters"),
            ({"note": "x" * 1001}, ".note: too long, expected at most: '1000' characters"),
            ({"reference": "x" * 256}, ".reference: too long, expected at most: '255' characters"),
            ({"metadata": {"a": "\0"}}, ".metadata: must not contain NUL characters"),
            ({"balance": 5}, ".balance: unknown field"),
            ({"credit": {}}, ".credit: only a redeemed gift card has one"),
            ({"guest_account": {"transactions": []}}, ".guest_account: only a redeemed gift card has one"),
            (
                {"status": "redeemed", "customer": ANN, "guest_account": {}},
                ".guest_account: only a gift card without a customer has one",
            ),
            (
                {"status": "redeemed", "customer": ANN, "credit": {"id": "x"}},
                '.credit.id: expected an id that begins with sc_trx_, got "x"',
            ),
        ],
    )
    def test_a_value_that_no_card_takes(self, files: ShopFiles, ann: Customer, said: Any, problem: str):
        assert files.refused(cards({**PENDING, **said})) == [f"gift_cards[0]{problem}"]

    def test_a_number_that_is_beyond_all_money(self, files: ShopFiles):
        text = json.dumps(cards(PENDING)).replace("50", "1e400")
        assert files.refused(text) == ["gift_cards[0].value: expected a number from 0 to 100000000000"]

    @pytest.mark.parametrize("missing", ["value", "currency_code"])
    def test_what_a_new_card_cannot_do_without(self, files: ShopFiles, missing: str):
        said = {name: value for name, value in PENDING.items() if name != missing}
        assert files.refused(cards(said)) == [f"gift_cards[0].{missing}: is required"]

    @pytest.mark.parametrize("said", [{}, {"reference": "order"}, {"reference_id": "7"}, {"id": "gcard_1"}])
    def test_a_card_that_nothing_names(self, files: ShopFiles, said: Any):
        (problem,) = files.refused(cards({"value": 5, "currency_code": "usd", **said}))
        assert problem == "gift_cards[0].code: is required, or reference and reference_id"

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"code": "A"}, {"code": " a "}),
            ({"code": "A", "id": "gcard_1"}, {"code": "B", "id": "gcard_1"}),
            ({"reference": "o", "reference_id": "1"}, {"reference": "o", "reference_id": "1"}),
            ({"reference": "o", "reference_id": "1", "code": "A"}, {"reference": "o", "reference_id": "1"}),
            ({"reference": "o", "reference_id": "1"}, {"reference": "o", "reference_id": "1", "code": "A"}),
        ],
    )
    def test_two_objects_for_one_card(self, files: ShopFiles, one: Any, other: Any):
        worth = {"value": 5, "currency_code": "usd"}
        assert files.refused(cards({**worth, **one}, {**worth, **other})) == [
            "gift_cards[1]: is already at gift_cards[0]"
        ]

    def test_a_reference_of_several_cards(self, files: ShopFiles):
        pair = {"reference": "order", "reference_id": "7"}
        files.load(cards(*({**PENDING, **pair, "id": f"gcard_{code}", "code": code} for code in "AB")))
        (problem,) = files.refused(cards({"value": 50, "currency_code": "usd", **pair}))
        assert problem == (
            "gift_cards[0]: the reference is that of gcard_A, gcard_B: one of them is meant by its id or code"
        )

    def test_credits_and_groups_whose_ids_are_taken(self, files: ShopFiles, ledger: Customer):
        entry, group, own = (
            model.objects.order_by("pk")[0] for model in (Transaction, TransactionGroup, StoreCreditAccount)
        )
        taken = [
            {**REDEEMED, "code": "A", "credit": {"id": entry.pk}},
            {**REDEEMED, "code": "B", "credit": {"group_id": group.pk}},
            {**PENDING, "code": "C", "status": "redeemed", "guest_account": {"id": own.pk}},
        ]
        assert files.refused(cards(*taken)) == [
            "gift_cards[2].guest_account.id: is that of another account",
            f"gift_cards[0].credit.id: is that of credit gift_card {entry.reference_id}",
            "gift_cards[1].credit.group_id: is that of another group",
        ]

    def test_ids_that_two_cards_give_their_credits(self, files: ShopFiles, ann: Customer):
        both = [
            {**REDEEMED, "code": code, "credit": {"id": "sc_trx_1", "group_id": f"sc_trxg_{code}"}} for code in "AB"
        ]
        assert files.refused(cards(*both)) == ["gift_cards[1].credit: is already at gift_cards[0].credit"]


class TestAccounts:
    def test_entries_are_booked_in_their_order(self, files: ShopFiles, ann: Customer):
        lines = files.load(account(OPENING, PAID, {**OPENING, "amount": 1}, id="sc_acc_1", metadata={"a": 1}))
        assert lines == ["store_credit_accounts: 1 created, 0 updated, 0 unchanged"]
        own = StoreCreditAccount.objects.get()
        assert (own.pk, own.metadata, own.customer, own.currency_id) == ("sc_acc_1", {"a": 1}, ann, "usd")
        assert groups(own.pk) == [Decimal("7.5"), Decimal(1)]
        assert list(TransactionGroup.objects.order_by("pk").values_list("code", flat=True)) == [
            *("adjustment:opening:sc_acc_1", "adjustment:opening:sc_acc_1:2")
        ]

    def test_a_second_load_changes_no_row(self, files: ShopFiles, ann: Customer):
        content = account(OPENING, {**OPENING, "amount": 5}, {**PAID, "amount": 22})
        files.load(content)
        before = everything()
        assert Transaction.objects.filter(type="debit").count() == 2
        assert files.load(content) == ["store_credit_accounts: 0 created, 0 updated, 1 unchanged"]
        assert everything() == before

    def test_one_reference_may_credit_many_accounts(self, files: ShopFiles, ann: Customer):
        bob = CustomerFactory(email="bob@example.com")
        files.load(
            {
                "store_credit_accounts": [
                    account(OPENING, customer=name)["store_credit_accounts"][0] for name in (ANN, bob.email)
                ]
            }
        )
        assert (balance(ann), balance(bob)) == (20, 20)

    def test_new_entries_are_added_to_an_account(self, files: ShopFiles, ann: Customer):
        files.load(account(OPENING))
        assert files.load(account(OPENING, PAID)) == ["store_credit_accounts: 0 created, 1 updated, 0 unchanged"]
        assert balance(ann) == Decimal("7.5")

    def test_new_metadata_is_all_that_changes(self, files: ShopFiles, ann: Customer):
        files.load(account(OPENING))
        before = books()
        files.load(account(OPENING, metadata={"a": 1}))
        assert StoreCreditAccount.objects.get().metadata == {"a": 1}
        assert (books()[0], *books()[2:]) == (before[0], *before[2:])

    def test_cards_of_the_same_file_are_there_to_be_spent(self, files: ShopFiles, ann: Customer):
        lines = files.load({**account(PAID, id="sc_acc_1", created_at="2020-01-01T00:00:00Z"), **cards(REDEEMED)})
        assert lines[1] == "store_credit_accounts: 1 created, 0 updated, 0 unchanged"
        own = StoreCreditAccount.objects.get()
        assert (own.pk, own.created_at.year, balance(ann)) == ("sc_acc_1", 2020, Decimal("37.5"))

    @pytest.mark.parametrize(
        ("entries", "problem"),
        [
            ([PAID], "[0].amount: is more than the 0 left on the account"),
            ([OPENING, {**PAID, "amount": 20.01}], "[1].amount: is more than the 20 left on the account"),
            ([PAID, {**OPENING, "amount": 50}], "[0].amount: is more than the 0 left on the account"),
            (
                [NAMED, {**PAID, "amount": 21, "group": "opening"}],
                "[1].amount: is more than the 20 left in 'opening'",
            ),
            ([OPENING, {**PAID, "group": "elsewhere"}], "[1].group: the account has no group 'elsewhere'"),
            ([OPENING, PAID, PAID], "[2]: is already at store_credit_accounts[0].transactions[1]"),
            (
                [NAMED, {**NAMED, "reference_id": "other"}],
                "[1].group: 'opening' is that of another credit",
            ),
            (
                [{**OPENING, "reference": "gift_card"}],
                "[0].reference: is that of gift cards, whose credits come with them",
            ),
            (
                [{**OPENING, "group": "gift_card:gcard_1"}],
                "[0].group: is that of a gift card, whose credit comes with it",
            ),
            ([OPENING, {**PAID, "group_id": "sc_trxg_1"}], "[1].group_id: only a credit makes a group"),
            ([{**OPENING, "amount": 0}], "[0].amount: must be above 0"),
            ([{**OPENING, "amount": -1}], "[0].amount: expected a number from 0 to 100000000000"),
            ([{**OPENING, "amount": 0.001}], "[0].amount: Value for field 'amount' has more than 2 decimals of usd"),
            ([{**OPENING, "reference_id": "\0"}], "[0].reference_id: must not contain NUL characters"),
            (
                [{**OPENING, "reference_id": "x" * 255}],
                "[0].reference_id: is too long to name a group: give the credit a group of its own",
            ),
            ([{"type": "credit", "amount": 1, "reference": "a"}], "[0].reference_id: is required"),
            ([{**OPENING, "type": "loan"}], '[0].type: expected credit or debit, got "loan"'),
            ([{**OPENING, "balance": 1}], "[0].balance: unknown field"),
            (
                [{**OPENING, "id": "sc_trx_1"}, {**OPENING, "id": "sc_trx_1"}],
                "[1]: is already at store_credit_accounts[0].transactions[0]",
            ),
            (
                [OPENING, {**OPENING, "amount": 1}, {**PAID, "amount": 21, "id": "sc_trx_1"}],
                "[2].id: is that of one entry, and the debit is split over several",
            ),
        ],
    )
    def test_an_entry_that_the_ledger_does_not_take(self, files: ShopFiles, ann: Customer, entries: Any, problem: str):
        assert files.refused(account(*entries)) == [f"store_credit_accounts[0].transactions{problem}"]

    def test_more_than_an_account_can_hold(self, files: ShopFiles, ann: Customer):
        most = [{**OPENING, "amount": 10**11, "reference_id": str(number)} for number in range(9224)]
        (problem,) = files.refused(account(*most))
        assert problem == "store_credit_accounts[0].transactions[9223].amount: is more than the account can take"

    @pytest.mark.parametrize(
        ("entry", "problem"),
        [
            ({"amount": 21}, "amount: 20 is booked already, and that cannot change"),
            ({"id": "sc_trx_1", "amount": 21}, "amount: 20 is booked already, and that cannot change"),
            ({"id": "sc_trx_1", "reference_id": "x"}, "id: is that of credit adjustment opening"),
            ({"id": "sc_trx_1", "group": "x"}, "group: the entry is in opening, and that cannot change"),
            (
                {"id": "sc_trx_2", "group": "opening", "amount": 3},
                "amount: 20 is booked already, and that cannot change",
            ),
        ],
    )
    def test_an_entry_that_denies_a_stored_one(self, files: ShopFiles, ann: Customer, entry: Any, problem: str):
        files.load(account({**NAMED, "id": "sc_trx_1"}))
        assert files.refused(account({**OPENING, **entry})) == [f"store_credit_accounts[0].transactions[0].{problem}"]

    def test_a_debit_that_another_entry_has_booked(self, files: ShopFiles, ann: Customer):
        files.load(account(NAMED, PAID))
        (problem,) = files.refused(account(NAMED, {**PAID, "id": "sc_trx_1", "amount": 1}))
        path, _, told = problem.partition(": ")
        assert path == "store_credit_accounts[0].transactions[1]"
        assert told == "that was taken from 'opening' already, by another entry"

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"customer": "nobody"}, ".customer: there is no customer 'nobody'"),
            ({"currency_code": "xyz"}, ".currency_code: 'xyz' is no currency code of ISO 4217"),
            ({"customer": None}, ".customer: expected a text, got null"),
            ({"balance": 5}, ".balance: unknown field"),
            ({"transactions": {}}, ".transactions: expected a list, got an object"),
            ({"transactions": [5]}, ".transactions[0]: expected an object, got 5"),
            ({"id": "acc_1"}, '.id: expected an id that begins with sc_acc_, got "acc_1"'),
        ],
    )
    @pytest.mark.parametrize("beside", [{}, cards(REDEEMED)])
    def test_a_value_that_no_account_takes(self, files: ShopFiles, ann: Customer, said: Any, problem: str, beside: Any):
        assert files.refused(
            {**beside, **account(**said)}
            if "transactions" not in said
            else {**beside, "store_credit_accounts": [{"customer": ANN, "currency_code": "usd", **said}]}
        ) == [f"store_credit_accounts[0]{problem}"]

    def test_an_owner_never_changes(self, files: ShopFiles, ann: Customer):
        CustomerFactory(email="bob@example.com")
        files.load(account(OPENING, id="sc_acc_1"))
        assert files.refused(account(id="sc_acc_1", customer="bob@example.com", currency_code="eur")) == [
            f"store_credit_accounts[0].customer: the account sc_acc_1 is of {ann.pk}, and that cannot change",
            "store_credit_accounts[0].currency_code: the account sc_acc_1 is of usd, and that cannot change",
        ]

    def test_two_objects_for_one_account(self, files: ShopFiles, ann: Customer):
        two = {"store_credit_accounts": account()["store_credit_accounts"] * 2}
        assert files.refused(two) == ["store_credit_accounts[1]: is already at store_credit_accounts[0]"]

    def test_the_account_of_a_guests_card_comes_with_the_card(self, files: ShopFiles, ledger: Customer):
        guests = StoreCreditAccount.objects.get(gift_card__value=30)
        assert files.refused(account(id=guests.pk)) == [
            f"store_credit_accounts[0].id: is that of the account of gift card {guests.gift_card_id}"
        ]

    def test_an_account_of_a_shared_email_is_that_of_who_signs_in(self, files: ShopFiles, ann: Customer):
        CustomerFactory(email=ANN, has_account=False)
        files.load(account(OPENING))
        assert balance(ann) == 20


class TestTheWholeLedger:
    def test_more_rows_take_no_more_statements(self, files: ShopFiles):
        def shop(number: int) -> dict[str, Any]:
            emails = [f"{number}-{index}@example.com" for index in range(number)]
            redeemed = [{**REDEEMED, "code": email, "customer": email} for email in emails]
            guests = [
                {**PENDING, "code": f"G{email}", "status": "redeemed", "guest_account": {"transactions": [PAID]}}
                for email in emails
            ]
            accounts = [account(OPENING, PAID, customer=email)["store_credit_accounts"][0] for email in emails]
            return {
                "customers": [{"email": email} for email in emails],
                **cards(*redeemed, *guests),
                "store_credit_accounts": accounts,
            }

        def statements(number: int) -> int:
            with CaptureQueriesContext(connection) as taken:
                files.load(shop(number))
            return len(taken)

        assert [statements(3), statements(3)] == [statements(20), statements(20)]

    def test_a_load_that_leaves_it_wrong_loads_nothing(self, files: ShopFiles, ann: Customer):
        (problem,) = files.refused(account({**OPENING, "reference": "order"}))
        own = StoreCreditAccount.objects.count()
        assert own == 0
        assert problem.startswith("the ledger: order opening took 0")

    def test_it_is_verified_whatever_was_loaded(self, files: ShopFiles, ledger: Customer):
        with unguarded():
            StoreCreditAccount.objects.filter(customer=ledger).update(credits=1000)
        assert all(line.startswith(LOSSES) for line in files.refused({"product_tags": [{"value": "a"}]}))
