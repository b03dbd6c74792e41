"""Gift cards as objects of the shop file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from django.db.models import Q

from giftcards.ledger.references import GIFT_CARD
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from giftcards.shop_file.buyers import names
from giftcards.shop_file.entries import dumped_by_account
from giftcards.states import CardStatus, EntryType
from kit.editing.changes import BATCH
from kit.shop_file.values import written
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat


def dumped_cards() -> Iterator[JSONObject]:
    """All cards except those of erased customers, which a file cannot name."""
    nameable = GiftCard.objects.not_deleted().filter(Q(customer=None) | Q(customer__deleted_at=None))
    rows = nameable.select_related("customer").order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        redeemed = [row.pk for row in batch if row.status == CardStatus.REDEEMED]
        credited = _credits(redeemed)
        guest_accounts = _guest_accounts(redeemed)
        buyers = names(row.customer for row in batch)
        for row in batch:
            yield {
                "id": row.pk,
                "code": row.code,
                "value": written(row.value),
                "currency_code": row.currency_id,
                "status": row.status,
                "customer": row.customer_id and buyers[row.customer_id],
                "expires_at": row.expires_at and isoformat(row.expires_at),
                "reference": row.reference,
                "reference_id": row.reference_id,
                "note": row.note,
                "metadata": row.metadata,
                "credit": credited.get(row.pk),
                "guest_account": guest_accounts.get(row.pk),
                "created_at": isoformat(row.created_at),
            }


def _credits(cards: Sequence[str]) -> Mapping[str, JSONObject]:
    """By card, the entry that credits it."""
    rows = Transaction.objects.filter(type=EntryType.CREDIT, reference=GIFT_CARD, reference_id__in=cards)
    return {
        row.reference_id: {"id": row.pk, "group_id": row.group_id, "created_at": isoformat(row.created_at)}
        for row in (rows if cards else ())
    }


def _guest_accounts(cards: Sequence[str]) -> Mapping[str, JSONObject]:
    """By card, the account that a guest spends it from."""
    rows = list(StoreCreditAccount.objects.filter(gift_card__in=cards)) if cards else []
    entries = dumped_by_account([row.pk for row in rows])
    return {
        str(row.gift_card_id): {
            "id": row.pk,
            "metadata": row.metadata,
            "transactions": entries[row.pk],
            "created_at": isoformat(row.created_at),
        }
        for row in rows
    }
