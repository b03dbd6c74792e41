"""Gift cards and store credit as staff see them, and what they send."""

from collections.abc import Sequence

from django.db.models import F
from rest_framework import serializers

from giftcards.api.serializers.accounts import StoreCreditAccountSerializer
from giftcards.api.serializers.cards import GiftCardSerializer
from giftcards.cards.issuing import MAX_NOTE_LENGTH
from giftcards.codes import masked
from giftcards.ledger.adjustment import MAX_REASON_LENGTH
from giftcards.models import Transaction
from giftcards.states import CardStatus, EntryType
from kit.reads.declarations.computed import Batch, BatchField, MoneyValue, SqlField
from kit.reads.declarations.fields import ResourceSerializer
from kit.rest.requests.input_fields import CharField, ChoiceField, DateTimeField, DecimalField, DictField
from kit.rest.requests.inputs import Input


def _masked(batch: Batch) -> Sequence[str]:
    return [masked(code) for (code,) in batch.rows]


class AdminGiftCardSerializer(GiftCardSerializer):
    """A gift card, for staff. Only the response that creates it has the whole code, which is enough to spend it."""

    code = BatchField(  # type: ignore[assignment]  # the whole code is not for every answer
        serializers.CharField(help_text="The end of the code."), columns=("code",), load=_masked
    )
    line_item_id = serializers.CharField(allow_null=True, help_text="The line of the order that bought the card.")


class AdminStoreCreditAccountSerializer(StoreCreditAccountSerializer):
    """Store credit in one currency, of a customer or of a guest's gift card. For staff."""

    gift_card_id = serializers.CharField(allow_null=True, help_text="The gift card of an account without a customer.")


class StoreCreditTransactionSerializer(ResourceSerializer):
    """An entry of an account's ledger, which never changes. For staff."""

    id = serializers.CharField()
    account_id = SqlField(serializers.CharField(), expression=F("group__account_id"))
    transaction_group_id = serializers.CharField(source="group_id")
    type = serializers.ChoiceField(choices=EntryType.values)
    amount = MoneyValue()
    reference = serializers.CharField(help_text="What it is for: `gift_card`, `order`, `adjustment`, `refund`.")
    reference_id = serializers.CharField()
    note = serializers.CharField(allow_null=True)
    created_by = serializers.CharField(
        allow_null=True, help_text="The id of the staff user; null for entries of the system."
    )
    created_at = serializers.DateTimeField()

    class Meta:
        model = Transaction


class AccountInput(Input):
    """A new store credit account."""

    currency_code = CharField()
    customer_id = CharField(allow_blank=False)
    metadata = DictField(required=False, allow_null=True)


class IssueInput(Input):
    """A new gift card."""

    value = DecimalField(help_text="In major units.")
    currency_code = CharField()
    customer_id = CharField(
        required=False, allow_null=True, help_text="The only customer who can redeem it. By default, anyone can."
    )
    expires_at = DateTimeField(required=False, allow_null=True)
    reference = CharField(required=False, allow_null=True)
    reference_id = CharField(required=False, allow_null=True)
    note = CharField(
        required=False,
        allow_null=True,
        max_length=MAX_NOTE_LENGTH,
        help_text="Shown to the customer who owns or redeems the card.",
    )
    metadata = DictField(required=False, allow_null=True)


class CardChangesInput(Input):
    """Changes to a gift card. Metadata is merged."""

    status = ChoiceField(
        choices=[CardStatus.CANCELED.value], required=False, help_text="Cancels a pending card, for good."
    )
    note = CharField(required=False, allow_null=True, max_length=MAX_NOTE_LENGTH)
    expires_at = DateTimeField(required=False, allow_null=True, help_text="Of a pending card; null for never.")
    metadata = DictField(required=False, allow_null=True)


class AdjustmentInput(Input):
    """An amount of store credit to add or deduct, and why."""

    amount = DecimalField(help_text="In major units, more than 0.")
    note = CharField(allow_blank=False, max_length=MAX_REASON_LENGTH, help_text="The reason, kept with the entry.")
