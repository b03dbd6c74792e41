"""Gift cards in the shop file, each with what it was redeemed into."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from giftcards.cards.issuing import MAX_NOTE_LENGTH
from giftcards.codes import new_code
from giftcards.models import GiftCard
from giftcards.shop_file.amounts import paid
from giftcards.shop_file.bookings import Claims
from giftcards.shop_file.buyers import BUYERS
from giftcards.shop_file.card_codes import CardCode
from giftcards.shop_file.dumped_cards import dumped_cards
from giftcards.shop_file.entries import CREDIT
from giftcards.shop_file.known_cards import KnownCards, Pair, pair_of
from giftcards.shop_file.redemptions import GUEST_ACCOUNT, Placed, redeem
from giftcards.states import CardStatus
from kit.editing.changes import Changes
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named
from kit.shop_file.sections import Section
from kit.shop_file.values import Amount, Choice, DateTime, Entry, Metadata, Object, Text, Value
from kit.values.json import JSONObject
from kit.values.text import LONGEST
from shop.shop_file.currencies import CurrencyCode


class GiftCards(Section):
    """All gift cards. Existing cards never change; the file must not contradict them.

    credit: the entry that credits a redeemed card. guest_account: instead of a customer, the account that a guest's
    checkout redeemed the card into, with its other entries.
    """

    key = "gift_cards"
    prefix = "gcard"
    is_in_ledger = True
    fields: ClassVar[Mapping[str, Value]] = {
        "code": CardCode(),
        "value": Amount(required=True),
        "currency_code": CurrencyCode(required=True),
        "status": Choice(choices=tuple(CardStatus.values)),
        "customer": Named(target=BUYERS, nullable=True),
        "expires_at": DateTime(nullable=True),
        "reference": Text(nullable=True, longest=LONGEST),
        "reference_id": Text(nullable=True, longest=LONGEST),
        "note": Text(nullable=True, longest=MAX_NOTE_LENGTH),
        "metadata": Metadata(),
        "credit": Object(fields=CREDIT, nullable=True),
        "guest_account": Object(fields=GUEST_ACCOUNT, nullable=True),
    }

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._claims: Claims = {}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        known, new = KnownCards(entries), Changes(GiftCard)
        placed: list[Placed] = []
        for entry in entries:
            card = self._card_of(entry, known)
            if card is None:
                self._check_new(entry)
            else:
                self._compare(entry, card)
            if entry.is_sound:
                placed.append(Placed(entry, card or new.make(**self._columns(entry)), is_new=card is None))
        new.write()
        changed = redeem([one for one in placed if one.card.status == CardStatus.REDEEMED], self._claims, self.problems)
        for one in placed:
            self.counts.created += one.is_new
            self.counts.updated += not one.is_new and one.card.pk in changed
            self.counts.unchanged += not one.is_new and one.card.pk not in changed

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        return dumped_cards()

    def _card_of(self, entry: Entry, known: KnownCards) -> GiftCard | None:
        """The stored card that the object names, None for a new one. Refuses taken and repeated names."""
        code, pair = entry.given.get("code"), pair_of(entry)
        own, namesake = known.by_id.get(entry.given.get("id", "")), known.by_code.get(code or "")
        alike = known.by_pair.get(pair, []) if pair and not own and not code else []
        card = own or namesake or next(iter(alike), None)
        if own and code and code != own.code:
            self.refuse(entry, f"gift card {own.pk} has a different code, which cannot change", field="code")
        elif len(alike) > 1:
            ids = ", ".join(each.pk for each in alike)
            self.refuse(entry, f"the reference matches {ids}: name the gift card by id or code")
        elif card is None and not code and not pair and entry.is_sound:
            self.refuse(entry, "is required, or reference and reference_id", field="code")
        elif card and card.deleted_at:
            self.refuse(entry, f"names {card.pk}, which is deleted")
        self._claim(entry, card, pair if pair and not own and not code else None)
        return card

    def _claim(self, entry: Entry, card: GiftCard | None, meant_by: Pair | None) -> None:
        """Refuse a second object for one card. meant_by: the reference, if the card is identified by it alone."""
        given, pair = entry.given, pair_of(entry)
        beside = pair and ("beside a code", *pair)
        identities = (card and card.pk, given.get("id"), given.get("code"), meant_by, meant_by and beside)
        others = [self._claims.setdefault(identity, entry.path) for identity in identities if identity]
        if pair and not meant_by:
            self._claims.setdefault(beside, entry.path)
            others.append(self._claims.get(pair, entry.path))
        for other in others:
            if other != entry.path:
                self.refuse(entry, f"already appears at {other}")
                break

    def _check_new(self, entry: Entry) -> None:
        """Add problems for missing and contradictory fields of a new card."""
        self.require(entry, "value", "currency_code")
        if not entry.is_sound:
            return
        given = entry.given
        if paid(entry, "value", given["currency_code"], self.problems) is None:
            entry.is_sound = False
        owner, guest_account = given.get("customer"), given.get("guest_account")
        if given.get("status") != CardStatus.REDEEMED:
            for field in (name for name in _OF_REDEEMED if given.get(name) is not None):
                self.refuse(entry, "is only allowed on a redeemed gift card", field=field)
        elif owner is None and guest_account is None:
            self.refuse(entry, "is required for a redeemed gift card", field="customer")
        elif owner is not None and guest_account is not None:
            self.refuse(entry, "is only allowed on a gift card without a customer", field="guest_account")

    def _compare(self, entry: Entry, card: GiftCard) -> None:
        """Add problems for values that contradict the stored card.

        An outdated status is accepted: the card may have been redeemed since the file was written.
        """
        given = entry.given
        declared = {
            "value": given.get("value", card.value),
            "currency_code": given.get("currency_code", card.currency_id),
        }
        for field, own in (("value", card.value), ("currency_code", card.currency_id)):
            if declared[field] != own:
                self.refuse(entry, f"gift card {card.pk} has {own}, which cannot change", field=field)
        status = given.get("status", CardStatus.PENDING)
        if status not in (CardStatus.PENDING, card.status):
            self.refuse(entry, f"gift card {card.pk} is {card.status}, which cannot change", field="status")
        elif status == CardStatus.REDEEMED and given.get("customer", card.customer_id) != card.customer_id:
            self.refuse(entry, f"gift card {card.pk} was redeemed by another customer", field="customer")
        elif given.get("guest_account") and (status != CardStatus.REDEEMED or card.customer_id):
            self.refuse(entry, f"gift card {card.pk} has no guest account", field="guest_account")

    def _columns(self, entry: Entry) -> dict[str, object]:
        """The columns of the new card."""
        given = entry.given
        columns = {name: given[name] for name in _COLUMNS if name in given}
        if "code" not in given:
            columns["code"] = new_code()
            pair = f"{given['reference']} {given['reference_id']}"
            self.announcements.append(f"The code of the gift card for {pair} is {columns['code']}")
        return {**columns, "currency_id": given["currency_code"], "customer_id": given.get("customer")}


_OF_REDEEMED = ("credit", "guest_account")
_COLUMNS = (
    *("id", "created_at", "code", "value", "status", "expires_at"),
    *("reference", "reference_id", "note", "metadata"),
)
