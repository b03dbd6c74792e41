"""The spreadsheet of gift cards: issues cards, shows whole codes only by permission, and changes no balance."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry

from customers.models import Customer
from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.spreadsheets.applying import apply, confirm
from kit.values.timestamps import now
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import (
    applied,
    exported,
    exported_by,
    lines,
    previewed,
    spreadsheet,
    undo_file,
)
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
HEADER = "Id,Code,Status,Value,Currency,Expires At,Customer,Note"


def test_cards_are_issued_with_typed_and_with_new_codes() -> None:
    customer = CustomerFactory(email="ann@example.com")

    one = applied(
        lines(
            "Code,Value,Currency,Expires At,Customer,Note",
            " 00000123,25.50,USD,2027-12-31,ANN@example.com,=thanks",
            ",10,usd,,,",
            ",10,usd,2027-06-01T12:00:00+02:00,,",
        ),
        spreadsheet="gift_cards",
    )

    assert one.done == {"new": 3}
    typed, new, other = (GiftCard.objects.get(pk=key) for key in one.results.values_list("about", flat=True))
    assert (typed.code, typed.value, typed.currency_id, typed.note) == ("00000123", Decimal("25.5"), "usd", "=thanks")
    assert (typed.customer_id, typed.expires_at.isoformat()) == (customer.pk, "2028-01-01T04:59:59.999000+00:00")
    assert (len(new.code), new.customer_id, new.expires_at) == (29, None, None)
    assert new.code != other.code
    assert other.expires_at.isoformat() == "2027-06-01T10:00:00+00:00"
    assert [*one.results.values_list("label", flat=True)] == ["…0123", "10 usd", "10 usd"]
    assert spreadsheet(undo_file(one)) == []


def test_the_export_comes_back_without_changing_a_row() -> None:
    customer = CustomerFactory()
    gift_card("12.5", code="00123", customer_id=customer.pk, note="+1")
    redeemed = gift_card(50)
    GiftCard.objects.filter(pk=redeemed.pk).update(status="canceled")
    Customer.objects.update(deleted_at=now())
    text, moments = exported("gift_cards"), {*GiftCard.objects.values_list("pk", "updated_at")}
    first = GiftCard.objects.get(code="00123")

    assert text == lines(
        HEADER,
        f"{first.pk},00123,pending,12.5,usd,,{customer.pk},'+1",
        f"{redeemed.pk},{redeemed.code},canceled,50,usd,,,",
    )
    assert applied(text, spreadsheet="gift_cards").done == {"unchanged": 2}
    assert {*GiftCard.objects.values_list("pk", "updated_at")} == moments


def test_codes_are_masked_without_the_permission_and_ids_are_left_out() -> None:
    card = gift_card(5, code="GIFT-ABCD-EFGH")
    masked = staff_actor(UserFactory(permissions=["giftcards.view_giftcard"]))
    whole = staff_actor(UserFactory(permissions=["giftcards.view_giftcard", "giftcards.export_giftcard"]))

    text = exported_by(masked, "gift_cards")

    assert text == lines(HEADER.removeprefix("Id,"), "…EFGH,pending,5,usd,,,")
    assert exported_by(masked, "gift_cards", keys=[card.pk]) == text
    assert applied(text, spreadsheet="gift_cards").done == {"problem": 1}
    assert applied(lines("Id,Code", f"{card.pk},…EFGH"), spreadsheet="gift_cards").done == {"unchanged": 1}
    assert [row["Code"] for row in spreadsheet(exported_by(whole, "gift_cards"))] == [card.code]
    assert LogEntry.objects.count() == 3
    with pytest.raises(Forbidden):
        exported_by(staff_actor(UserFactory(permissions=["giftcards.export_giftcard"])), "gift_cards")


def test_notes_and_expiry_change_and_come_back() -> None:
    card = gift_card(5, note="old")

    one = applied(lines("Id,Note,Expires At", f"{card.pk},new,2027-01-01"), spreadsheet="gift_cards")

    assert one.done == {"changed": 1}
    stored = GiftCard.objects.get()
    assert (stored.note, stored.expires_at.isoformat()) == ("new", "2027-01-02T04:59:59.999000+00:00")
    assert undo_file(one) == lines("Id,Expires At,Note", f"{card.pk},,old")
    applied(undo_file(one), spreadsheet="gift_cards")
    stored.refresh_from_db()
    assert (stored.note, stored.expires_at) == ("old", None)


def test_a_card_that_changed_since_the_preview_is_left() -> None:
    card = gift_card(5, note="old")
    one = previewed(lines("Id,Note", f"{card.pk},new"), spreadsheet="gift_cards")
    GiftCard.objects.update(note="newer")
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    assert GiftCard.objects.get().note == "newer"


def test_it_needs_all_permissions_of_cards() -> None:
    wanted = {"giftcards.view_giftcard", "giftcards.add_giftcard", "giftcards.change_giftcard"}
    text = lines("Value,Currency", "5,usd")
    for missing in wanted:
        with pytest.raises(Forbidden):
            previewed(text, spreadsheet="gift_cards", actor=staff_actor(UserFactory(permissions=wanted - {missing})))
    assert applied(text, spreadsheet="gift_cards", actor=staff_actor(UserFactory(permissions=wanted))).done == {
        "new": 1
    }
