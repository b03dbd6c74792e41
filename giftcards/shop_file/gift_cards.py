"""The shop file's gift cards, each with what it was redeemed into."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from commerce.kit.core.text import LONGEST
from commerce.kit.shop_file.problems import Problems
from commerce.kit.shop_file.references import Named
from commerce.kit.shop_file.sections import Section
from commerce.kit.shop_file.values import Amount, Choice, DateTime, Entry, Metadata, Object, Text, Value
from commerce.kit.shop_file.writing import Changes
from commerce.shop.shop_file.currencies import CurrencyCode
from giftcards.codes import new_code
from giftcards.issuing import LONGEST_NOTE
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


class GiftCards(Section):
    """Every gift card. A card that there is stays as it is; what the file has of it must not deny that.

    credit: the entry that a redeemed card was credited by. guest_account: in place of a customer, what a guest's
    checkout redeemed the card into, with all other entries of that account.
    """

    key = "gift_cards"
    prefix = "gcard"
    fields: ClassVar[Mapping[str, Value]] = {
        "code": CardCode(),
        "value": Amount(required=True),
        "currency_code": CurrencyCode(required=True),
        "status": Choice(choices=tuple(CardStatus.values)),
        "customer": Named(target=BUYERS, nullable=True),
        "expires_at": DateTime(nullable=True),
        "reference": Text(nullable=True, longest=LONGEST),
        "reference_id": Text(nullable=True, longest=LONGEST),
        "note": Text(nullable=True, longest=LONGEST_NOTE),
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
    def dump(cls, *, with_credentials: bool) -> Iterator[dict[str, Any]]:
        return dumped_cards()

    def _card_of(self, entry: Entry, known: KnownCards) -> GiftCard | None:
        """The stored card that the object means, None for a new one. Refuses what is taken, or twice in the file."""
        code, pair = entry.given.get("code"), pair_of(entry)
        own, namesake = known.by_id.get(entry.given.get("id", "")), known.by_code.get(code or "")
        alike = known.by_pair.get(pair, []) if pair and not own and not code else []
        card = own or namesake or next(iter(alike), None)
        if own and code and code != own.code:
            self.refuse(entry, f"the gift card {own.pk} has another, and that cannot change", field="code")
        elif len(alike) > 1:
            ids = ", ".join(each.pk for each in alike)
            self.refuse(entry, f"the reference is that of {ids}: one of them is meant by its id or code")
        elif card is None and not code and not pair and entry.is_sound:
            self.refuse(entry, "is required, or reference and reference_id", field="code")
        elif card and card.deleted_at:
            self.refuse(entry, f"is that of {card.pk}, which is deleted")
        self._claim(entry, card, pair if pair and not own and not code else None)
        return card

    def _claim(self, entry: Entry, card: GiftCard | None, meant_by: Pair | None) -> None:
        """Refuse a second object for one card. meant_by: the reference that alone tells the card from all others."""
        given, pair = entry.given, pair_of(entry)
        beside = pair and ("beside a code", *pair)
        identities = (card and card.pk, given.get("id"), given.get("code"), meant_by, meant_by and beside)
        others = [self._claims.setdefault(identity, entry.path) for identity in identities if identity]
        if pair and not meant_by:
            self._claims.setdefault(beside, entry.path)
            others.append(self._claims.get(pair, entry.path))
        for other in others:
            if other != entry.path:
                self.refuse(entry, f"is already at {other}")
                break

    def _check_new(self, entry: Entry) -> None:
        """Tell of what a new card lacks, or what does not go together."""
        self.require(entry, "value", "currency_code")
        if not entry.is_sound:
            return
        given = entry.given
        if paid(entry, "value", given["currency_code"], self.problems) is None:
            entry.is_sound = False
        owner, guest_account = given.get("customer"), given.get("guest_account")
        if given.get("status") != CardStatus.REDEEMED:
            for field in (name for name in _OF_REDEEMED if given.get(name) is not None):
                self.refuse(entry, "only a redeemed gift card has one", field=field)
        elif owner is None and guest_account is None:
            self.refuse(entry, "is required: a redeemed gift card was redeemed by somebody", field="customer")
        elif owner is not None and guest_account is not None:
            self.refuse(entry, "only a gift card without a customer has one", field="guest_account")

    def _compare(self, entry: Entry, card: GiftCard) -> None:
        """Tell of what the object says of the stored card's worth, or of its end, that is not so.

        An object that is behind is no fault: a card may have been redeemed since the file was written.
        """
        given = entry.given
        said = {"value": given.get("value", card.value), "currency_code": given.get("currency_code", card.currency_id)}
        for field, own in (("value", card.value), ("currency_code", card.currency_id)):
            if said[field] != own:
                self.refuse(entry, f"the gift card {card.pk} has {own}, and that cannot change", field=field)
        status = given.get("status", CardStatus.PENDING)
        if status not in (CardStatus.PENDING, card.status):
            self.refuse(entry, f"the gift card {card.pk} is {card.status}, and stays so", field="status")
        elif status == CardStatus.REDEEMED and given.get("customer", card.customer_id) != card.customer_id:
            self.refuse(entry, f"the gift card {card.pk} was redeemed by another", field="customer")
        elif given.get("guest_account") and (status != CardStatus.REDEEMED or card.customer_id):
            self.refuse(entry, f"the gift card {card.pk} has none", field="guest_account")

    def _columns(self, entry: Entry) -> dict[str, Any]:
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
