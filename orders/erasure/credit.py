"""Erasing the notes and metadata of gift cards and store credit. Cards, accounts and entries remain."""

from django.db.models import Q

from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from giftcards.states import CardStatus
from kit.database.locking import lock_rows
from orders.erasure.people import Person
from orders.models import OrderCreditLine, OrderLineItem


def erase_credit(person: Person) -> list[str]:
    """Erase notes and metadata of the person's accounts, and of the cards that they own or bought.

    Pending cards lose their owner, so that their codes can be used. Returns the ids of all these rows.
    """
    lines = OrderLineItem.objects.filter(order__in=person.orders, is_giftcard=True)
    cards = lock_rows(
        GiftCard.objects.filter(Q(customer__in=person.customer_ids) | Q(line_item_id__in=lines.values("pk")))
    )
    paid_with = OrderCreditLine.objects.filter(order__in=person.orders).values("reference_id")
    whose = Q(customer__in=person.customer_ids) | Q(gift_card__in=paid_with)
    accounts = lock_rows(StoreCreditAccount.objects.filter(whose))
    card_ids, account_ids = [card.pk for card in cards], [account.pk for account in accounts]
    GiftCard.objects.filter(pk__in=card_ids).update(note=None, metadata=None)
    GiftCard.objects.filter(customer__in=person.customer_ids, status=CardStatus.PENDING).update(customer=None)
    StoreCreditAccount.objects.filter(pk__in=account_ids).update(metadata=None)
    TransactionGroup.objects.filter(account__in=account_ids).update(metadata=None)
    Transaction.objects.filter(group__account__in=account_ids, note__isnull=False).update(note=None)
    return [*card_ids, *account_ids]
