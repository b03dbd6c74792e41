"""The ledger of store credit, per customer and currency.

Entries are only ever added. An account has one group per source of credit, and a group has entries. Groups and
accounts store the totals of their entries: the database adds each new entry to both (giftcards/triggers), prevents
other changes, and refuses entries that exceed the balance.
Why: docs/decisions/gift-cards.md#entries-are-only-ever-added,
docs/decisions/gift-cards.md#every-source-of-credit-has-a-group.
"""

from decimal import Decimal
from typing import Self

from django.db import models
from django.db.models import F, Q

from customers.models import Customer
from giftcards.models.cards import GiftCard
from giftcards.states import EntryType
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values.currencies import currency_name
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from kit.values.written_amounts import written
from shop.models import Currency


class OwnedQuerySet(ResourceQuerySet):
    """Rows of an account. `customer`: the ORM path to its customer's id."""

    customer = "account__customer_id"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff who may view accounts see all rows, customers their own."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("giftcards.view_storecreditaccount"):
            return rows
        return rows.filter(**{self.customer: actor.id}) if actor.type == "customer" and actor.id else rows.none()


class AccountQuerySet(OwnedQuerySet):
    """Store credit accounts."""

    customer = "customer_id"


class TransactionQuerySet(OwnedQuerySet):
    """Entries, which are never deleted."""

    customer = "group__account__customer_id"

    def not_deleted(self) -> Self:
        return self


class Balance(models.Model):
    """The totals of entries. The balance is credits less debits."""

    credits = MoneyField(default=0, editable=False)
    debits = MoneyField(default=0, editable=False)

    class Meta:
        abstract = True

    @property
    def balance(self) -> Decimal:
        """In major units."""
        left: Decimal = self.credits - self.debits
        return left


class StoreCreditAccount(Balance, BaseModel):
    """The account of a customer in a currency, or the remaining balance of a gift card that a guest redeemed.

    held: the sum of its holds (giftcards/spending/holds.py), kept by the database.
    """

    id = IdField(prefix="sc_acc")
    customer = models.ForeignKey(
        Customer, null=True, blank=True, on_delete=models.PROTECT, related_name="store_credit_accounts"
    )
    gift_card = models.OneToOneField(
        GiftCard, null=True, blank=True, on_delete=models.PROTECT, related_name="guest_account"
    )
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    held = MoneyField(default=0, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = AccountQuerySet.as_manager()

    class Meta:
        constraints = [
            # Accounts without a customer do not collide: nulls are distinct.
            models.UniqueConstraint(fields=["customer", "currency"], name="giftcards_account_taken"),
            models.CheckConstraint(
                condition=Q(customer=None, gift_card__isnull=False) | Q(customer__isnull=False, gift_card=None),
                name="giftcards_account_owner",
            ),
            models.CheckConstraint(
                condition=Q(debits__gte=0, credits__gte=F("debits")), name="giftcards_account_balance"
            ),
            models.CheckConstraint(
                condition=Q(held__gte=0, held__lte=F("credits") - F("debits")), name="giftcards_account_held"
            ),
        ]

    def __str__(self) -> str:
        owner = f"gift card {self.gift_card}" if self.customer is None else str(self.customer)
        return f"Store credit of {owner} in {currency_name(self.currency_id)}"

    @property
    def available(self) -> Decimal:
        """The balance without what is held, in major units."""
        available: Decimal = self.balance - self.held
        return available


class TransactionGroup(Balance, BaseModel):
    """The entries of one source of credit: a card, an adjustment or a refund. `code` names the source."""

    id = IdField(prefix="sc_trxg")
    account = models.ForeignKey(StoreCreditAccount, on_delete=models.PROTECT, related_name="transaction_groups")
    code = models.CharField(max_length=255)
    metadata = models.JSONField(null=True, blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code"], name="giftcards_group_code_taken"),
            models.CheckConstraint(
                condition=Q(debits__gte=0, credits__gte=F("debits")), name="giftcards_group_balance"
            ),
        ]

    def __str__(self) -> str:
        source = self.code.partition(":")[0].replace("_", " ").capitalize()
        return f"{source}, {written(self.credits, self.account.currency_id)}"


class Transaction(models.Model):
    """An entry. reference and reference_id name what it is for: a card, a cart, an order, an adjustment.

    created_by: the id of the staff user who made it; null if no person did.
    """

    id = IdField(prefix="sc_trx")
    group = models.ForeignKey(TransactionGroup, on_delete=models.PROTECT, related_name="transactions")
    type = models.CharField(max_length=8, choices=EntryType)
    amount = MoneyField()
    reference = models.CharField(max_length=255)
    reference_id = models.CharField(max_length=255)
    note = models.TextField(null=True, blank=True)
    created_by = models.CharField(max_length=64, null=True, blank=True)
    created_at = TimestampField(default=now, editable=False)

    objects = TransactionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["type", "reference", "reference_id"],
                condition=Q(type="credit", reference="gift_card"),
                name="giftcards_transaction_once_a_card",
            ),
            # A repeated booking finds its entry: each reference adds to and takes from a group once.
            models.UniqueConstraint(
                fields=["reference", "reference_id", "type", "group"], name="giftcards_transaction_once_a_group"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="giftcards_transaction_amount"),
            models.CheckConstraint(condition=Q(type__in=EntryType.values), name="giftcards_transaction_type"),
        ]
        indexes = [models.Index(fields=["created_at"], name="giftcards_transaction_moment")]

    def __str__(self) -> str:
        return f"{self.get_type_display()} of {written(self.amount, self.group.account.currency_id)}"
