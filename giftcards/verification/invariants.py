"""The invariants of the ledger, each with a query for its violations.

Why: docs/decisions/gift-cards.md#entries-are-only-ever-added,
docs/decisions/gift-cards.md#redeemed-and-canceled-cards-stay-so.
"""

from django.db.models import CharField, Count, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat

from giftcards.ledger.references import ADJUSTMENT, GIFT_CARD, REFUND
from giftcards.models import CreditHold, GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from giftcards.states import CardStatus, EntryType
from kit.domain.invariants import Invariant

_CREDIT, _DEBIT = Q(type=EntryType.CREDIT), Q(type=EntryType.DEBIT)


def _added_up(rows: QuerySet[Model], amounts: str, types: str) -> QuerySet[Model]:
    """Rows whose stored credits and debits are not the sums of the entries at that path."""
    credited, debited = (
        Sum(amounts, filter=Q(**{types: entry_type}), default=0) for entry_type in (EntryType.CREDIT, EntryType.DEBIT)
    )
    added_up: QuerySet[Model] = rows.annotate(credited=credited, debited=debited)
    return added_up.exclude(credits=F("credited"), debits=F("debited"))


def _groups_of_account() -> QuerySet[StoreCreditAccount]:
    credited, debited = (Sum(f"transaction_groups__{column}", default=0) for column in ("credits", "debits"))
    return StoreCreditAccount.objects.annotate(credited=credited, debited=debited).exclude(
        credits=F("credited"), debits=F("debited")
    )


_STORED = "has credits of {credits} and debits of {debits}"
_SUM = "add up to {credited} and {debited}"
_BELOW_ZERO = Q(debits__lt=0) | Q(credits__lt=F("debits"))


def _card_credits() -> QuerySet[Transaction]:
    return Transaction.objects.filter(_CREDIT, reference=GIFT_CARD)


def _credited_cards() -> QuerySet[Model]:
    """Credits of gift cards, annotated with the card's columns."""
    card = GiftCard.objects.filter(pk=OuterRef("reference_id"))
    credited: QuerySet[Model] = _card_credits().annotate(
        card_value=Subquery(card.values("value")),
        card_currency=Subquery(card.values("currency_id")),
        card_customer=Subquery(card.values("customer_id")),
        account=F("group__account_id"),
        account_currency=F("group__account__currency_id"),
        account_customer=Coalesce("group__account__customer_id", Value("")),
        account_card=Coalesce("group__account__gift_card_id", Value("")),
    )
    return credited


def _uncredited_cards() -> QuerySet[GiftCard]:
    """An anti-join: ids and references differ in collation, so that no index serves a look-up for each card."""
    own = _card_credits().filter(reference_id=OuterRef("pk"))
    return GiftCard.objects.filter(status=CardStatus.REDEEMED).exclude(Exists(own))


def _guest_accounts() -> QuerySet[StoreCreditAccount]:
    """Accounts of gift cards that no guest has redeemed into them."""
    own = _card_credits().filter(group__account_id=OuterRef("pk"), reference_id=OuterRef("gift_card_id"))
    is_own = Q(Exists(own), customer=None, gift_card__customer=None, gift_card__status=CardStatus.REDEEMED)
    return StoreCreditAccount.objects.exclude(gift_card=None).exclude(is_own)


def _refunded_payers() -> QuerySet[Model, object]:
    """Payers that were refunded more than they had spent. A refund as store credit was paid by other means."""
    entries = Transaction.objects.exclude(reference__in=(GIFT_CARD, ADJUSTMENT, REFUND)).order_by()
    payers: QuerySet[Model, object] = (
        entries.values("reference", "reference_id", account=F("group__account_id"))
        .annotate(spent=Sum("amount", filter=_DEBIT, default=0), refunded=Sum("amount", filter=_CREDIT, default=0))
        .filter(refunded__gt=F("spent"))
    )
    return payers


def _held_accounts() -> QuerySet[StoreCreditAccount]:
    """Accounts whose stored sum of holds is not that of their holds."""
    added_up = StoreCreditAccount.objects.annotate(holding=Sum("holds__amount", default=0))
    return added_up.exclude(held=F("holding"))


def _held_cards() -> QuerySet[GiftCard]:
    """Cards that name another attempt than their hold does, or only one of the two."""
    is_alike = Q(held_by=F("attempt_id"))
    rows = GiftCard.objects.exclude(held_by=None, hold=None)
    named: QuerySet[GiftCard] = rows.annotate(attempt_id=Coalesce("hold__attempt_id", Value(""))).exclude(is_alike)
    return named


INVARIANTS = (
    Invariant(
        lambda: Transaction.objects.exclude(type__in=EntryType.values, amount__gt=0),
        "Entry {id} is a {type} of {amount}, which is not possible",
    ),
    Invariant(
        lambda: _added_up(TransactionGroup.objects.all(), "transactions__amount", "transactions__type"),
        f"Group {{id}} {_STORED}, but its entries {_SUM}",
    ),
    Invariant(
        lambda: _added_up(
            StoreCreditAccount.objects.all(),
            "transaction_groups__transactions__amount",
            "transaction_groups__transactions__type",
        ),
        f"Account {{id}} {_STORED}, but its entries {_SUM}",
    ),
    Invariant(
        _groups_of_account,
        f"Account {{id}} {_STORED}, but its groups {_SUM}",
    ),
    Invariant(
        lambda: TransactionGroup.objects.filter(_BELOW_ZERO),
        "Group {id} is below zero, with credits of {credits} and debits of {debits}",
    ),
    Invariant(
        lambda: StoreCreditAccount.objects.filter(_BELOW_ZERO),
        "Account {id} is below zero, with credits of {credits} and debits of {debits}",
    ),
    Invariant(
        lambda: TransactionGroup.objects.annotate(
            sources=Count("transactions", filter=Q(transactions__type=EntryType.CREDIT))
        ).exclude(sources=1),
        "Group {id} has {sources} credits instead of one",
    ),
    Invariant(
        _uncredited_cards,
        "Gift card {id} is redeemed but was never credited",
    ),
    Invariant(
        lambda: _card_credits().order_by().values("reference_id").annotate(times=Count("pk")).filter(times__gt=1),
        "Gift card {reference_id} is credited {times} times",
    ),
    Invariant(
        lambda: _card_credits().exclude(
            Exists(GiftCard.objects.filter(pk=OuterRef("reference_id"), status=CardStatus.REDEEMED))
        ),
        "Entry {id} credits gift card {reference_id}, which is not redeemed",
    ),
    Invariant(
        lambda: _credited_cards().filter(card_value__isnull=False).exclude(amount=F("card_value")),
        "Entry {id} credits {amount} for gift card {reference_id}, whose value is {card_value}",
    ),
    Invariant(
        lambda: _credited_cards().filter(card_currency__isnull=False).exclude(account_currency=F("card_currency")),
        "Entry {id} credits gift card {reference_id} of {card_currency} to account {account} of {account_currency}",
    ),
    Invariant(
        lambda: _credited_cards().filter(card_customer__isnull=False).exclude(account_customer=F("card_customer")),
        "Entry {id} credits gift card {reference_id} of customer {card_customer} to another's account {account}",
    ),
    Invariant(
        lambda: (
            _credited_cards()
            .filter(card_value__isnull=False, card_customer=None)
            .exclude(account_card=F("reference_id"))
        ),
        "Entry {id} credits gift card {reference_id} of a guest to account {account}, which is not its own",
    ),
    Invariant(
        lambda: _card_credits().exclude(
            group__code=Concat(Value(f"{GIFT_CARD}:"), "reference_id", output_field=CharField())
        ),
        "Entry {id} credits gift card {reference_id} in group {group_id}, which belongs to another source",
    ),
    Invariant(_guest_accounts, "Account {id} belongs to gift card {gift_card_id}, which no guest redeemed into it"),
    Invariant(
        lambda: StoreCreditAccount.objects.exclude(Q(customer=None) ^ Q(gift_card=None)),
        "Account {id} belongs to nobody, or to a customer and a gift card",
    ),
    Invariant(
        _refunded_payers,
        "{reference} {reference_id} took {spent} from account {account} and got {refunded} back",
    ),
    Invariant(_held_accounts, "Account {id} has {held} held, but its holds add up to {holding}"),
    Invariant(
        lambda: StoreCreditAccount.objects.filter(Q(held__lt=0) | Q(held__gt=F("credits") - F("debits"))),
        "Account {id} has {held} held of credits of {credits} and debits of {debits}",
    ),
    Invariant(_held_cards, "Gift card {id} says that it is held by {held_by}, but its hold by '{attempt_id}'"),
    Invariant(
        lambda: GiftCard.objects.exclude(held_by=None).exclude(status=CardStatus.PENDING),
        "Gift card {id} is held by {held_by}, but {status}",
    ),
    Invariant(
        lambda: CreditHold.objects.filter(amount__gt=F("card__value")),
        "Hold {id} of {amount} exceeds the value of gift card {card_id}",
    ),
    Invariant(lambda: StoreCreditAccount.objects.exclude(deleted_at=None), "Account {id} is deleted"),
    Invariant(lambda: TransactionGroup.objects.exclude(deleted_at=None), "Group {id} is deleted"),
)
