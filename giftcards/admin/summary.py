"""Gift cards and store credit on a customer's screen and on the overview."""

from collections.abc import Iterator

from django.contrib.admin import display
from django.db.models import Q
from django.http import HttpRequest

from customers.admin.customers import CustomerAdmin
from customers.admin.timeline import MOST, timeline_source
from giftcards.admin.balance_columns import BalanceColumns
from giftcards.admin.card_columns import CardColumns, has_expired
from giftcards.codes import masked
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.states import CardStatus, EntryType
from kit.admin.history.timeline import TimelineEvent
from kit.admin.inlines.read_only_inline import ReadOnlyInline
from kit.admin.lists.amounts import shown
from kit.admin.lists.row_link import row_link
from kit.admin.pages.dashboard import Panel, counted_each, panel
from kit.admin.request_actor import request_actor
from kit.admin.sections import Section
from kit.domain.actor import Actor


class CardInline(CardColumns, ReadOnlyInline):
    """The cards that are assigned to the customer or were redeemed by them."""

    model = GiftCard
    permission = "giftcards.view_giftcard"
    fields = readonly_fields = ("card", "worth", "state", "expiry", "expires_at", "created_at")
    ordering = ("-created_at", "-id")
    per_page = 10
    verbose_name_plural = "Gift cards"

    @display(description="Code")
    def card(self, row: GiftCard) -> str:
        return row_link("giftcards_giftcard_change", row.pk, masked(row.code))


class AccountInline(BalanceColumns, ReadOnlyInline):
    """The customer's store credit, by currency."""

    model = StoreCreditAccount
    permission = "giftcards.view_storecreditaccount"
    fields = readonly_fields = ("account", "credited", "debited", "updated_at")
    ordering = ("currency",)
    verbose_name_plural = "Store credit"

    @display(description="Balance")
    def account(self, row: StoreCreditAccount) -> str:
        return row_link("giftcards_storecreditaccount_change", row.pk, self.balance(row))


CustomerAdmin.enter_inline(AccountInline)
CustomerAdmin.enter_inline(CardInline)


@timeline_source
def _credit_of_customer(request: HttpRequest, customer_id: str) -> Iterator[TimelineEvent]:
    """Their gift cards, oldest first, then the entries of their store credit, oldest first."""
    may = request_actor(request).may
    if may("giftcards.view_giftcard"):
        cards = GiftCard.objects.not_deleted().filter(customer=customer_id).order_by("-created_at", "-pk")
        for card in reversed(list(cards[:MOST])):
            value = shown(card.value, card.currency_id)
            yield TimelineEvent(card.created_at, f"Gift card {masked(card.code)} of {value} issued")
    if may("giftcards.view_storecreditaccount"):
        booked = Transaction.objects.filter(group__account__customer=customer_id).select_related("group__account")
        for entry in reversed(list(booked.order_by("-created_at", "-pk")[:MOST])):
            amount = shown(entry.amount, entry.group.account.currency_id)
            sign, source = ("-" if entry.type == EntryType.DEBIT else "+"), entry.reference.replace("_", " ")
            note = f", {entry.note}" if entry.note else ""
            yield TimelineEvent(
                entry.created_at, f"Store credit {sign}{amount} ({source}{note})", by_staff=entry.created_by
            )


@panel("giftcards.view_giftcard")
def cards_panel(actor: Actor) -> Panel:
    """The numbers of redeemable and of expired cards."""
    pending = Q(status=CardStatus.PENDING) & ~has_expired()
    figures = {
        "redeemable": (pending, "status__exact=pending&expired=no"),
        "expired": (has_expired(), "expired=yes"),
    }
    return Panel(
        section=Section.CREDIT, title="Gift cards", figures=counted_each(GiftCard.objects.visible_to(actor), figures)
    )
