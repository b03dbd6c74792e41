"""The routes of gift cards and store credit for staff."""

from dataclasses import replace

from rest_framework.request import Request

from giftcards.api.resources import ADMIN_GIFT_CARDS, ADMIN_STORE_CREDIT_ACCOUNTS, STORE_CREDIT_TRANSACTIONS
from giftcards.api.serializers.admin import AccountInput, AdjustmentInput, CardChangesInput, IssueInput
from giftcards.cards import changing, issuing
from giftcards.ledger import account_opening, adjustment
from kit.query.conditions import Every, Is
from kit.rest.reads import List, Retrieve
from kit.rest.viewsets import AdminEndpoint
from kit.rest.writes import WriteEndpoint
from kit.values.json import JSONObject


class AdminGiftCards(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """Gift cards, with the end of their codes."""

    resource = ADMIN_GIFT_CARDS
    inputs = {"create": IssueInput, "update": CardChangesInput}
    permissions = {
        "list": "giftcards.view_giftcard",
        "retrieve": "giftcards.view_giftcard",
        "create": "giftcards.add_giftcard",
        "update": "giftcards.change_giftcard",
    }
    dry_runs = frozenset({"create", "update"})

    def create(self, request: Request) -> JSONObject:
        """Issue a gift card. The response contains its code, which is never shown again."""
        card = issuing.issue_spendable(actor=self.actor, terms=issuing.Terms(**self.body()))
        return self.written(card.pk, code=card.code)

    def update(self, request: Request, id: str) -> JSONObject:
        """Change or cancel a gift card. Metadata is merged."""
        changing.change(actor=self.actor, card_id=id, **self.body())
        return self.written(id)


class AdminStoreCreditAccounts(List, Retrieve, WriteEndpoint, AdminEndpoint):
    """All store credit accounts."""

    resource = ADMIN_STORE_CREDIT_ACCOUNTS
    inputs = {"create": AccountInput, "credit": AdjustmentInput, "debit": AdjustmentInput}
    permissions = {
        "list": "giftcards.view_storecreditaccount",
        "retrieve": "giftcards.view_storecreditaccount",
        "create": "giftcards.add_storecreditaccount",
        "credit": "giftcards.add_transaction",
        "debit": "giftcards.add_transaction",
    }
    dry_runs = frozenset({"create", "credit", "debit"})

    def create(self, request: Request) -> JSONObject:
        """Open an account for a customer, who has one in each currency."""
        return self.written(account_opening.open_account(actor=self.actor, **self.body()))

    def credit(self, request: Request, id: str) -> JSONObject:
        """Add an amount to an account."""
        adjustment.credit_account(actor=self.actor, account_id=id, **self.body())
        return self.written(id)

    def debit(self, request: Request, id: str) -> JSONObject:
        """Deduct an amount from an account, at most its balance."""
        adjustment.debit_account(actor=self.actor, account_id=id, **self.body())
        return self.written(id)


class StoreCreditTransactions(List, AdminEndpoint):
    """The ledger of a store credit account."""

    resource = STORE_CREDIT_TRANSACTIONS
    permissions = {"list": "giftcards.view_storecreditaccount"}

    def list(self, request: Request, id: str) -> JSONObject:  # type: ignore[override]  # the path names the account
        """List the entries of an account, newest first."""
        account = ADMIN_STORE_CREDIT_ACCOUNTS.single_query({"fields": "id"})
        ADMIN_STORE_CREDIT_ACCOUNTS.one(id, account, self.actor)
        self.read_query = replace(
            self.read_query, condition=Every((self.read_query.condition, Is("group__account_id", id)))
        )
        return super().list(request)
