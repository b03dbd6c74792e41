"""Rows of gift cards that an import refuses, and those of other shops that it takes."""

import pytest

from giftcards.models import GiftCard
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from tests.catalog.spreadsheets.importing import applied, lines, previewed
from tests.factories.giftcards import gift_card

pytestmark = pytest.mark.django_db
HEADER = "Id,Code,Status,Value,Currency,Expires At,Customer,Note"


def test_problems_name_row_and_column() -> None:
    gift_card(5, code="KNOWN")
    spent = gift_card(5, code="SPENT")
    GiftCard.objects.filter(pk=spent.pk).update(status="canceled")

    one = previewed(
        lines(
            HEADER,
            "gcard_1,,,,,,,",
            ",KNOWN,,6,EUR,,,",
            ",SPENT,,,,2027-01-01,,",
            ",a/b,,5,usd,,,",
            ",,,,usd,,,",
            ",,,0,usd,,,",
            ",,,5,gbp,,,",
            ",,,5,usd,2020-01-01,,",
            ",,,5,usd,soon,,",
            ",,,5,usd,,nobody@example.com,",
            ",new-0001,,1.234,usd,,,",
            ",1234567,,5,usd,,,",
            ",known,,,,2020-01-01,,",
            f",,,5,usd,,,{'x' * 1001}",
            ",,,5,Mars,,,",
        ),
        spreadsheet="gift_cards",
    )

    assert one.counts == {"problem": 15, "rows": 15}
    fixed, past = "of an issued card cannot be changed.", "Enter a time in the future."
    assert one.problems == [
        [2, "Id", "No gift card has this id. To issue a card, leave the cell empty."],
        [3, "Value", f"The value {fixed}"],
        [3, "Currency", f"The currency {fixed}"],
        [4, "Expires At", "This card is no longer pending, so its expiry date cannot be changed."],
        [5, "Code", "A code begins with a letter A to Z or a digit, not with gcard_, and has no slash."],
        [6, "Value", "Enter the value of the new card."],
        [7, "Value", "Enter an amount above 0."],
        [8, "Currency", "No region sells in this currency, so nobody could spend the card."],
        [9, "Expires At", past],
        [10, "Expires At", "'soon' is not a date. Enter one like 2027-12-31."],
        [11, "Customer", "No customer has this email address or id."],
        [12, "Value", "Value for field 'value' has more than 2 decimals of usd"],
        [13, "Code", "A code has at least 8 characters. Leave the cell empty for a new code."],
        [14, "", "This row belongs with row 3. Move it directly below."],
        [14, "Expires At", past],
        [15, "Note", "Enter at most 1,000 characters."],
        [16, "Currency", "'Mars' of field 'currency_code' is not an ISO 4217 currency code"],
    ]


def test_spent_cards_are_not_issued_anew() -> None:
    """Those of another copy of the shop, and of Shopify's export, which has the ends of codes."""
    one = previewed(
        lines(
            "Code,Last Characters,Status,Initial Balance,Current Balance,Currency",
            "ABCD-EFGH,,redeemed,50,50,usd",
            "ABCD-EFGI,,canceled,50,50,usd",
            "ABCD-EFGJ,,Expired,50,50,usd",
            "ABCD-EFGK,,pending,50,0,usd",
            ",efgl,,50,20,usd",
            "…EFGM,,pending,50,50,usd",
        ),
        spreadsheet="gift_cards",
    )

    assert one.mapping == ["code", "last_characters", "status", "", "value", "currency"]
    assert one.counts == {"problem": 6, "rows": 6}
    assert one.problems == [
        [2, "Status", "A card that is redeemed cannot be issued. Delete the row."],
        [3, "Status", "A card that is canceled cannot be issued. Delete the row."],
        [4, "Status", "A card that is Expired cannot be issued. Delete the row."],
        [5, "Current Balance", "Enter an amount above 0."],
        [6, "Last Characters", "This is only the end of a code. Enter the whole code."],
        [7, "Code", "This is only the end of a code. Enter the whole code."],
    ]


def test_what_remains_of_another_shops_cards_is_issued() -> None:
    one = applied(
        lines("Code,Status,Initial Balance,Current Balance,Currency", "ABCD-EFGH,Active,50,20,usd"),
        spreadsheet="gift_cards",
    )

    assert one.done == {"new": 1}
    assert GiftCard.objects.get().value == 20


def test_a_code_that_is_taken_since_the_preview_is_not_issued_twice() -> None:
    one = previewed(lines("Code,Value,Currency", "ABCD-EFGH,5,usd", "IJKL-MNOP,5,usd"), spreadsheet="gift_cards")
    gift_card(7, code="ABCD-EFGH")
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"new": 1, "problem": 1}
    assert [*GiftCard.objects.order_by("code").values_list("code", "value")] == [("ABCD-EFGH", 7), ("IJKL-MNOP", 5)]
