"""`verify_ledger` is clean on what the verbs write, and names each kind of thing that they never would."""

import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.models import Customer
from giftcards import triggers
from giftcards.cards import cancellation, redemption
from giftcards.ledger.references import Reference
from giftcards.ledger.refunding import refund
from giftcards.models import CreditHold, GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from giftcards.spending.holds import hold_credit
from giftcards.triggers import postgresql, sqlite
from giftcards.triggers.trigger import ACCOUNTS, CARDS, ENTRIES, GROUPS
from giftcards.verification import verification
from giftcards.verification.verification import discrepancies
from kit.domain.actor import SYSTEM
from kit.domain.invariants import Invariant
from tests.books import disagreements
from tests.concurrency.crowd import at_once
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, gift_card, redeemer, spend, store_credit
from tests.giftcards.books import in_place, unguarded

pytestmark = pytest.mark.django_db

TRIGGERS = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}[connection.vendor]


class Written:
    """A ledger with something of each kind in it."""

    def __init__(self) -> None:
        self.ann: Customer = CustomerFactory()
        self.bob: Customer = CustomerFactory()
        self.card, self.guests, self.pending = gift_card(50), gift_card(20), gift_card(5)
        self.canceled = gift_card(7)
        cancellation.cancel(actor=SYSTEM, card_id=self.canceled.pk)
        redemption.redeem(actor=redeemer(self.ann), id_or_code=self.card.pk)
        guest = redemption.redeem_for_guest(actor=SYSTEM, card_id=self.guests.pk)
        store_credit(self.ann, "9.99", currency_code="eur")
        self.account = StoreCreditAccount.objects.get(customer=self.ann, currency_id="usd")
        self.guest_account = StoreCreditAccount.objects.get(pk=guest)
        self.bobs = store_credit(self.bob, 3)
        payer = Reference("order", "order_1")
        for account_id, amount in ((self.account.pk, 30), (guest, 20)):
            spend(account_id, amount, order_id=payer.id)
        refund(actor=SYSTEM, account_id=self.account.pk, amount=Decimal(10), payer=payer, refund_id="one")
        self.credit = Transaction.objects.get(reference="gift_card", reference_id=self.card.pk)
        self.guest_credit = Transaction.objects.get(reference="gift_card", reference_id=self.guests.pk)
        self.group: TransactionGroup = self.credit.group
        self.held = gift_card(8)
        hold_credit(attempt_id="one", cart=cart_paid_by((self.held, 8)))
        self.hold = CreditHold.objects.get()
        hold_credit(attempt_id="two", cart=cart_paid_by((self.bobs, 1), customer_id=self.bob.pk))


@pytest.fixture
def written() -> Written:
    return Written()


def printed() -> list[str]:
    out = io.StringIO()
    call_command("verify_ledger", stdout=out)
    return out.getvalue().splitlines()


def test_what_the_verbs_have_written_agrees(written: Written) -> None:
    assert printed() == ["No discrepancies: 5 gift cards, 4 accounts, 5 groups, 7 entries, 0 orders, 0 stock movements"]


def test_an_empty_ledger_agrees() -> None:
    assert printed() == ["No discrepancies: 0 gift cards, 0 accounts, 0 groups, 0 entries, 0 orders, 0 stock movements"]


def change(row: Any, **values: Any) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def entry(written: Written, **values: Any) -> None:
    """One more, past the triggers that add it up."""
    known = {"group": written.group, "type": "credit", "amount": 1, "reference": "order", "reference_id": "o"}
    Transaction.objects.create(**{**known, **values})


def another_entry_is_there(written: Written) -> None:
    entry(written, type="debit")


def a_groups_balance_is_raised(written: Written) -> None:
    change(written.group, credits=60)


def an_accounts_balance_is_raised(written: Written) -> None:
    change(written.account, credits=70)


def an_entry_is_changed(written: Written) -> None:
    change(written.credit, amount=51)


def a_card_is_worth_more(written: Written) -> None:
    change(written.card, value=51)


def a_card_is_in_another_currency(written: Written) -> None:
    change(written.card, currency_id="eur")


def a_card_is_anothers(written: Written) -> None:
    change(written.card, customer=written.bob)


def a_card_is_nobodys(written: Written) -> None:
    change(written.card, customer=None)


def a_guests_card_is_somebodys(written: Written) -> None:
    change(written.guests, customer=written.bob)


def a_redeemed_card_is_pending_again(written: Written) -> None:
    change(written.card, status="pending")


def a_card_is_redeemed_without_credit(written: Written) -> None:
    change(written.pending, status="redeemed")


def an_unknown_card_is_credited(written: Written) -> None:
    change(written.credit, reference_id="gcard_nobody")


def a_card_is_credited_in_another_group(written: Written) -> None:
    change(written.group, code="mine")


def a_guests_account_is_of_another_card(written: Written) -> None:
    change(written.guest_account, gift_card=written.pending)


def more_is_given_back_than_was_taken(written: Written) -> None:
    change(Transaction.objects.get(type="debit", group=written.group), reference_id="another")


def an_account_is_deleted(written: Written) -> None:
    change(written.account, deleted_at=written.account.created_at)


def a_group_is_deleted(written: Written) -> None:
    change(written.group, deleted_at=written.group.created_at)


def a_hold_is_gone(written: Written) -> None:
    written.hold.delete()
    written.hold.pk = "gone"


def a_hold_exceeds_its_card(written: Written) -> None:
    change(written.hold, amount=9)


def a_sum_of_holds_is_raised(written: Written) -> None:
    change(written.bobs, held=2)


def a_group_moves(written: Written) -> None:
    change(written.group, account=written.bobs)


def reported(stored: int, found: int) -> str:
    """What is said if accounts and reports differ. The cards: 50, 20, 5, 7 and 8."""
    return (
        f"In usd there are gift cards of 90, 7 of them canceled, and store credit of {stored}, but reports add up to "
        f"90, 7 and {found}"
    )


BY_HAND: dict[Any, list[str]] = {
    another_entry_is_there: [
        "Group {group} has credits of 50 and debits of 30, but its entries add up to 50 and 31",
        "Account {account} has credits of 60 and debits of 30, but its entries add up to 60 and 31",
        reported(33, 32),
    ],
    a_groups_balance_is_raised: [
        "Group {group} has credits of 60 and debits of 30, but its entries add up to 50 and 30",
        "Account {account} has credits of 60 and debits of 30, but its groups add up to 70 and 30",
    ],
    an_accounts_balance_is_raised: [
        "Account {account} has credits of 70 and debits of 30, but its entries add up to 60 and 30",
        "Account {account} has credits of 70 and debits of 30, but its groups add up to 60 and 30",
        reported(43, 33),
    ],
    an_entry_is_changed: [
        "Group {group} has credits of 50 and debits of 30, but its entries add up to 51 and 30",
        "Account {account} has credits of 60 and debits of 30, but its entries add up to 61 and 30",
        "Entry {credit} credits 51 for gift card {card}, whose value is 50",
        reported(33, 34),
    ],
    a_card_is_worth_more: ["Entry {credit} credits 50 for gift card {card}, whose value is 51"],
    a_card_is_in_another_currency: ["Entry {credit} credits gift card {card} of eur to account {account} of usd"],
    a_card_is_anothers: ["Entry {credit} credits gift card {card} of customer {bob} to another's account {account}"],
    a_card_is_nobodys: [
        "Entry {credit} credits gift card {card} of a guest to account {account}, which is not its own"
    ],
    a_guests_card_is_somebodys: [
        "Entry {guest_credit} credits gift card {guests} of customer {bob} to another's account {guest_account}",
        "Account {guest_account} belongs to gift card {guests}, which no guest redeemed into it",
    ],
    a_redeemed_card_is_pending_again: ["Entry {credit} credits gift card {card}, which is not redeemed"],
    a_card_is_redeemed_without_credit: ["Gift card {pending} is redeemed but was never credited"],
    an_unknown_card_is_credited: [
        "Gift card {card} is redeemed but was never credited",
        "Entry {credit} credits gift card gcard_nobody, which is not redeemed",
        "Entry {credit} credits gift card gcard_nobody in group {group}, which belongs to another source",
    ],
    a_card_is_credited_in_another_group: [
        "Entry {credit} credits gift card {card} in group {group}, which belongs to another source"
    ],
    a_guests_account_is_of_another_card: [
        "Entry {guest_credit} credits gift card {guests} of a guest to account {guest_account}, which is not its own",
        "Account {guest_account} belongs to gift card {pending}, which no guest redeemed into it",
    ],
    more_is_given_back_than_was_taken: ["order order_1 took 0 from account {account} and got 10 back"],
    an_account_is_deleted: ["Account {account} is deleted"],
    a_group_is_deleted: ["Group {group} is deleted"],
    a_hold_is_gone: ["Gift card {held} says that it is held by one, but its hold by ''"],
    a_hold_exceeds_its_card: ["Hold {hold} of 9 exceeds the value of gift card {held}"],
    a_sum_of_holds_is_raised: ["Account {bobs} has 2 held, but its holds add up to 1"],
    a_group_moves: [
        "Account {account} has credits of 60 and debits of 30, but its entries add up to 10 and 0",
        "Account {bobs} has credits of 3 and debits of 0, but its entries add up to 53 and 30",
        "Account {account} has credits of 60 and debits of 30, but its groups add up to 10 and 0",
        "Account {bobs} has credits of 3 and debits of 0, but its groups add up to 53 and 30",
        "Entry {credit} credits gift card {card} of customer {ann} to another's account {bobs}",
        "order order_1 took 0 from account {account} and got 10 back",
    ],
}


@pytest.mark.parametrize("deed", BY_HAND, ids=lambda deed: deed.__name__)
def test_what_is_done_by_hand_is_named(written: Written, deed: Any) -> None:
    with unguarded():
        deed(written)
    ids = {name: value.pk for name, value in vars(written).items()}
    assert sorted(disagreements()) == sorted(sentence.format(**ids) for sentence in BY_HAND[deed])


def test_the_command_prints_each_and_fails(written: Written) -> None:
    with unguarded():
        a_groups_balance_is_raised(written)
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"^Discrepancies found: 2$"):
        call_command("verify_ledger", stdout=out)
    assert out.getvalue().splitlines() == list(discrepancies())


def test_a_bar_shows_its_progress_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    printed()
    assert "checks:   0%" in capsys.readouterr().err


def test_missing_triggers_are_named() -> None:
    in_place(triggers.remove)
    assert [sentence.split()[2] for sentence in discrepancies()] == [trigger.name for trigger in TRIGGERS]


def test_what_the_databases_own_checks_were_to_keep_out_is_named_too(written: Written) -> None:
    with unguarded():
        lift_checks()
        change(written.bobs, debits=4)
        change(written.bobs.transaction_groups.get(), debits=4)
        entry(written, group=written.bobs.transaction_groups.get(), type="gift", reference_id="third")
        entry(written, group=written.bobs.transaction_groups.get(), reference="gift_card", reference_id=written.card.pk)
        StoreCreditAccount.objects.create(currency_id="usd")
        change(written.held, status="canceled")
    reported = set(discrepancies())
    group = written.bobs.transaction_groups.get()
    nobodys = StoreCreditAccount.objects.get(customer=None, gift_card=None)
    assert {
        f"Account {written.bobs.pk} is below zero, with credits of 3 and debits of 4",
        f"Account {written.bobs.pk} has 1 held of credits of 3 and debits of 4",
        f"Gift card {written.held.pk} is held by one, but canceled",
        f"Group {group.pk} is below zero, with credits of 3 and debits of 4",
        f"Entry {group.transactions.get(type='gift').pk} is a gift of 1, which is not possible",
        f"Gift card {written.card.pk} is credited 2 times",
        f"Group {group.pk} has 2 credits instead of one",
        f"Account {nobodys.pk} belongs to nobody, or to a customer and a gift card",
    } <= reported


def lift_checks() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute("DROP INDEX giftcards_transaction_once_a_card")
            return
        for table, constraint in (
            (ACCOUNTS, "giftcards_account_balance"),
            (ACCOUNTS, "giftcards_account_owner"),
            (ACCOUNTS, "giftcards_account_held"),
            (CARDS, "giftcards_card_held_pending"),
            (GROUPS, "giftcards_group_balance"),
            (ENTRIES, "giftcards_transaction_type"),
        ):
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
        cursor.execute("DROP INDEX giftcards_transaction_once_a_card")


@pytest.fixture(autouse=True)
def checked_again() -> Iterator[None]:
    yield
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def test_a_ledger_of_any_size_takes_the_same_number_of_statements(written: Written) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert list(discrepancies()) == []
        return len(queries)

    small = statements()
    for _ in range(30):
        redemption.redeem(actor=redeemer(written.bob), id_or_code=gift_card(1).pk)
    assert statements() == small


@pytest.mark.django_db(transaction=True)
def test_all_is_read_as_of_one_moment(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a card that is redeemed between two laws, the second does not hear yet."""

    def redeem(_: int) -> None:
        redemption.redeem(actor=redeemer(written.bob), id_or_code=written.pending.pk)

    def redeemed_meanwhile() -> Any:
        at_once(redeem, threads=1)
        return GiftCard.objects.none()

    then = Invariant(lambda: GiftCard.objects.filter(pk=written.pending.pk, status="redeemed"), "{id} is redeemed")
    monkeypatch.setattr(verification, "INVARIANTS", (Invariant(redeemed_meanwhile, ""), then))
    assert list(discrepancies()) == []
    monkeypatch.setattr(verification, "INVARIANTS", (then,))
    assert list(discrepancies()) == [f"{written.pending.pk} is redeemed"]
