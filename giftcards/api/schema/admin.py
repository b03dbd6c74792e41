"""Gift cards and store credit in GraphQL, for staff."""

from functools import partial
from typing import Any

from giftcards.api.resources import ADMIN_GIFT_CARDS, ADMIN_STORE_CREDIT_ACCOUNTS, STORE_CREDIT_TRANSACTIONS
from giftcards.api.serializers.admin import AccountInput, AdjustmentInput, CardChangesInput, IssueInput
from giftcards.cards import changing, issuing
from giftcards.ledger import account_opening, adjustment
from kit.domain.actor import Actor
from kit.graphql.fields.mutations import Change, Written, written_by
from kit.graphql.fields.reads import ListField, SingleField

_VIEWING_CARDS = "giftcards.view_giftcard"
_VIEWING_ACCOUNTS = "giftcards.view_storecreditaccount"
_of_card = partial(Change, ADMIN_GIFT_CARDS, viewing=_VIEWING_CARDS)
_of_account = partial(Change, ADMIN_STORE_CREDIT_ACCOUNTS, viewing=_VIEWING_ACCOUNTS)
_of_balance = partial(_of_account, permission="giftcards.add_transaction", input=AdjustmentInput)


def _issue(*, actor: Actor, **terms: Any) -> Written:
    card = issuing.issue_spendable(actor=actor, terms=issuing.Terms(**terms))
    return Written(card.pk, {"code": card.code})


def _open(*, actor: Actor, **given: Any) -> Written:
    return Written(account_opening.open_account(actor=actor, **given))


QUERIES = {
    "admin_gift_cards": ListField(
        ADMIN_GIFT_CARDS, "Gift cards, with the end of their codes. For staff.", permission=_VIEWING_CARDS
    ),
    "admin_gift_card": SingleField(ADMIN_GIFT_CARDS, "One gift card, by its id. For staff.", permission=_VIEWING_CARDS),
    "admin_store_credit_accounts": ListField(
        ADMIN_STORE_CREDIT_ACCOUNTS, "All store credit accounts. For staff.", permission=_VIEWING_ACCOUNTS
    ),
    "admin_store_credit_account": SingleField(
        ADMIN_STORE_CREDIT_ACCOUNTS, "One store credit account. For staff.", permission=_VIEWING_ACCOUNTS
    ),
    "store_credit_transactions": ListField(
        STORE_CREDIT_TRANSACTIONS, "The entries of store credit accounts. For staff.", permission=_VIEWING_ACCOUNTS
    ),
}
MUTATIONS = {
    "create_gift_card": _of_card(
        "Issue a gift card. The response contains its code, which is never shown again.",
        act=_issue,
        permission="giftcards.add_giftcard",
        input=IssueInput,
        by_id=False,
    ),
    "update_gift_card": _of_card(
        "Change or cancel a gift card. Metadata is merged.",
        act=written_by(changing.change, "card_id"),
        permission="giftcards.change_giftcard",
        input=CardChangesInput,
    ),
    "create_store_credit_account": _of_account(
        "Open a store credit account for a customer, who has one in each currency.",
        act=_open,
        permission="giftcards.add_storecreditaccount",
        input=AccountInput,
        by_id=False,
    ),
    "credit_store_credit_account": _of_balance(
        "Add an amount to an account.", act=written_by(adjustment.credit_account, "account_id")
    ),
    "debit_store_credit_account": _of_balance(
        "Deduct an amount from an account, at most its balance.", act=written_by(adjustment.debit_account, "account_id")
    ),
}
