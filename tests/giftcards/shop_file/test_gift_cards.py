"""Gift cards in the shop file: what makes one, what a stored one refuses, and what no card takes."""

import json
from decimal import Decimal
from typing import Any

import pytest

from customers.models import Customer
from giftcards.cards import cancellation, redemption
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import SYSTEM
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import redeemer
from tests.giftcards.books import balance
from tests.giftcards.shop_file.contents import (
    ANN,
    PENDING,
    REDEEMED,
    cards,
)
from tests.operations.shop_file_runs import ShopFiles, everything

pytestmark = pytest.mark.django_db


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

    def test_a_code_is_generated_and_reported_once(self, files: ShopFiles):
        said = cards({"value": 5, "currency_code": "usd", "reference": "order", "reference_id": "7"})
        _, reported = files.load(said)
        assert reported == f"The code of the gift card for order 7 is {GiftCard.objects.get().code}"
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
            ({"value": 51}, "value: gift card {id} has 50, which cannot change"),
            ({"currency_code": "eur"}, "currency_code: gift card {id} has usd, which cannot change"),
            ({"status": "canceled"}, "status: gift card {id} is pending, which cannot change"),
            ({"status": "redeemed", "customer": ANN}, "status: gift card {id} is pending, which cannot change"),
            ({"id": "gcard_1", "code": "TEA-9"}, "code: gift card gcard_1 has a different code, which cannot change"),
            ({"guest_account": {}}, "guest_account: gift card {id} has no guest account"),
        ],
    )
    def test_a_file_that_denies_a_stored_card(self, files: ShopFiles, ann: Customer, said: Any, problem: str):
        files.load(cards({**PENDING, "id": "gcard_1"}))
        assert files.refused(cards({**PENDING, **said})) == [f"gift_cards[0].{problem.format(id='gcard_1')}"]

    def test_a_card_that_another_has_redeemed(self, files: ShopFiles, ann: Customer):
        bob = CustomerFactory(email="bob@example.com")
        files.load(cards({**REDEEMED, "customer": bob.email}))
        (problem,) = files.refused(cards(REDEEMED))
        assert (
            problem == f"gift_cards[0].customer: gift card {GiftCard.objects.get().pk} was redeemed by another customer"
        )

    @pytest.mark.parametrize(
        ("said", "problem"),
        [
            ({"code": None}, ".code: expected a text, got null"),
            ({"code": "TEA\0"}, ".code: must not contain NUL characters"),
            ({"code": "T" * 65}, ".code: too long, expected at most: '64' characters"),
            *(
                (
                    {"code": code},
                    ".code: A code begins with a letter A to Z or a digit, not with gcard_, and has no slash.",
                )
                for code in ("", " ", "ČAJ", "a/b", "gcard_1", "-A", "A\tB")
            ),
            ({"value": 0}, ".value: must be greater than 0"),
            ({"value": -1}, ".value: expected a number from 0 to 100000000000"),
            ({"value": "ten"}, '.value: expected a number, got "ten"'),
            ({"value": 1.005}, ".value: Value for field 'value' has more than 2 decimals of usd"),
            ({"value": 1.00005}, ".value: has more than 4 decimals"),
            ({"value": 5.5, "currency_code": "jpy"}, ".value: Value for field 'value' has more than 0 decimals of jpy"),
            ({"currency_code": "xyz"}, ".currency_code: 'xyz' is not an ISO 4217 currency code"),
            ({"currency_code": None}, ".currency_code: expected a text, got null"),
            ({"status": "spent"}, '.status: expected pending or redeemed or canceled, got "spent"'),
            ({"status": "redeemed"}, ".customer: is required for a redeemed gift card"),
            ({"customer": "nobody@example.com"}, ".customer: there is no customer 'nobody@example.com'"),
            ({"customer": "a\0"}, ".customer: must not contain NUL characters"),
            ({"note": "x" * 1001}, ".note: too long, expected at most: '1000' characters"),
            ({"reference": "x" * 256}, ".reference: too long, expected at most: '255' characters"),
            ({"metadata": {"a": "\0"}}, ".metadata: must not contain NUL characters"),
            ({"balance": 5}, ".balance: unknown field"),
            ({"credit": {}}, ".credit: is only allowed on a redeemed gift card"),
            ({"guest_account": {"transactions": []}}, ".guest_account: is only allowed on a redeemed gift card"),
            (
                {"status": "redeemed", "customer": ANN, "guest_account": {}},
                ".guest_account: is only allowed on a gift card without a customer",
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
            "gift_cards[1]: already appears at gift_cards[0]"
        ]

    def test_a_reference_of_several_cards(self, files: ShopFiles):
        pair = {"reference": "order", "reference_id": "7"}
        files.load(cards(*({**PENDING, **pair, "id": f"gcard_{code}", "code": code} for code in "AB")))
        (problem,) = files.refused(cards({"value": 50, "currency_code": "usd", **pair}))
        assert problem == ("gift_cards[0]: the reference matches gcard_A, gcard_B: name the gift card by id or code")

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
            "gift_cards[2].guest_account.id: belongs to another account",
            f"gift_cards[0].credit.id: belongs to credit gift_card {entry.reference_id}",
            "gift_cards[1].credit.group_id: belongs to another group",
        ]

    def test_ids_that_two_cards_give_their_credits(self, files: ShopFiles, ann: Customer):
        both = [
            {**REDEEMED, "code": code, "credit": {"id": "sc_trx_1", "group_id": f"sc_trxg_{code}"}} for code in "AB"
        ]
        assert files.refused(cards(*both)) == ["gift_cards[1].credit: already appears at gift_cards[0].credit"]
