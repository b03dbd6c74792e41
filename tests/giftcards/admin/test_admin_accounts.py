"""The screens of store credit: accounts, what is booked by hand, and what the shop owes."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.db import connection
from django.test.utils import CaptureQueriesContext

from customers.models import Customer
from giftcards.cards import redemption
from giftcards.ledger.outstanding import balance_histories
from giftcards.models import StoreCreditAccount, Transaction
from kit.domain.actor import ANONYMOUS, SYSTEM
from kit.errors import Forbidden
from kit.values.timestamps import now
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.giftcards.books import balance, books
from tests.kit.admin.forms import changed, confirmed, sent
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.usefixtures("regions")]

LIST = "/admin/giftcards/storecreditaccount/"
GIVE, OUTSTANDING = f"{LIST}give/", f"{LIST}outstanding/"
VIEW, BOOK = "giftcards.view_storecreditaccount", "giftcards.add_transaction"


def page_of(account: StoreCreditAccount) -> str:
    return f"{LIST}{quote(account.pk)}/change/"


def adjust_of(account: StoreCreditAccount) -> str:
    return f"{LIST}{account.pk}/adjust/"


def said() -> list[str]:
    return [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]


def faults(answer: Any) -> list[str]:
    """The fields of the form that is asked again, "__all__" for what is reported above it."""
    assert answer.status_code == 200, answer.status_code
    return list(answer.context["form"].errors)


class TestAdjusting:
    def test_an_amount_is_booked_with_its_reason_and_by_whom(self, ann: Customer):
        account, client = store_credit(ann, 10), superuser()
        for amount, left in (("5.50", "15.50"), ("-15.50", "0")):
            answer = client.post(adjust_of(account), sent(client, adjust_of(account), amount=amount, reason="recount"))
            assert answer["Location"] == page_of(account)
            assert balance(ann) == Decimal(left)
        assert reported(answer)[-1] == "Booked: -$15.50."
        entries = Transaction.objects.exclude(note="for the test")
        assert {(entry.note, entry.created_by) for entry in entries} == {("recount", client.user.pk)}
        assert said() == ["Adjusted by $5.50: recount", "Adjusted by -$15.50: recount"]
        assert history() == [("Store credit of ann@example.com in US Dollar", 2)] * 2
        assert client.user.email in client.get(page_of(account)).content.decode()

    @pytest.mark.parametrize("amount", ["5", "-5"])
    def test_a_form_that_is_sent_twice_is_booked_once(self, ann: Customer, amount: str):
        account, client = store_credit(ann, 10), superuser()
        form = sent(client, adjust_of(account), amount=amount, reason="recount")
        client.post(adjust_of(account), form)
        before = books()
        for again in (form, confirmed(client, adjust_of(account), changed(form, amount="1"))):
            answer = client.post(adjust_of(account), again)
            assert answer["Location"] == page_of(account)
            assert "has already been booked. Nothing else was booked." in reported(answer)[-1]
        assert books() == before
        assert len(said()) == 1

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"amount": ""}, "amount"),
            ({"amount": "NaN"}, "amount"),
            ({"amount": "1e3"}, "amount"),
            ({"amount": "1\0"}, "amount"),
            ({"amount": "9" * 40}, "amount"),
            ({"amount": "-" + "9" * 5_000}, "amount"),
            ({"amount": "0"}, "amount"),
            ({"amount": "0.001"}, "amount"),
            ({"amount": "99999999999"}, None),
            ({"amount": "100000000001"}, "amount"),
            ({"amount": "-10.01"}, "amount"),
            ({"reason": ""}, "reason"),
            ({"reason": " "}, "reason"),
            ({"reason": "a\0b"}, "reason"),
            ({"reason": "x" * 1_001}, "reason"),
            ({"adjustment_id": ""}, "adjustment_id"),
            ({"adjustment_id": "a\0b"}, "adjustment_id"),
            ({"adjustment_id": "sc_adj_1"}, "adjustment_id"),
        ],
    )
    def test_what_cannot_be_booked_is_reported_and_changes_nothing(self, ann: Customer, wrong: Any, field: str | None):
        account, client = store_credit(ann, 10), superuser()
        before = books()
        form = sent(client, adjust_of(account), **{"amount": "1", "reason": "recount", **wrong})
        answer = client.post(adjust_of(account), form)
        if field is None:
            assert answer.status_code == 302
        else:
            assert faults(answer) == [field]
            assert (books(), said()) == (before, [])

    def test_only_who_may_add_entries_books(self, ann: Customer):
        account = store_credit(ann, 10)
        form = sent(superuser(), adjust_of(account), amount="1", reason="recount")
        given = sent(superuser(), GIVE, customer=ann.pk, currency="usd", amount="1", reason="sorry")
        for permissions in ((), (VIEW,), (BOOK,), (VIEW, "giftcards.change_storecreditaccount")):
            client = visitor(*permissions)
            assert client.get(adjust_of(account)).status_code == 403
            assert client.post(adjust_of(account), form).status_code == 403
            assert client.post(GIVE, given).status_code == 403
        client = visitor(VIEW)
        assert client.get(page_of(account)).context["actions_detail"] == []
        assert [action["path"] for action in client.get(LIST).context["actions_list"]] == [OUTSTANDING]
        assert balance(ann) == 10
        visitor(VIEW, BOOK).post(adjust_of(account), form)
        assert balance(ann) == 11

    def test_what_a_guest_has_left_of_a_card_is_not_adjusted(self):
        redemption.redeem_for_guest(actor=SYSTEM, card_id=gift_card().pk)
        account, client = StoreCreditAccount.objects.get(), superuser()
        assert client.get(page_of(account)).context["actions_detail"] == []
        assert client.get(adjust_of(account)).status_code == 404
        assert client.get(f"{LIST}sc_acc_nobody/adjust/").status_code == 404


class TestGiving:
    def test_a_customer_without_an_account_gets_one_with_its_first_credit(self, ann: Customer):
        client = superuser()
        form = sent(client, GIVE, customer=ann.pk, currency="eur", amount="7.5", reason="sorry")
        answer = client.post(GIVE, form)
        account = StoreCreditAccount.objects.get()
        assert answer["Location"] == page_of(account)
        assert (account.customer, account.currency_id, balance(ann, "eur")) == (ann, "eur", Decimal("7.5"))
        assert said() == ["Adjusted by 7,50\u00a0€: sorry"]
        assert "has already been booked" in reported(client.post(GIVE, form))[-1]
        assert balance(ann, "eur") == Decimal("7.5")

    def test_one_with_an_account_is_given_to_as_well(self, ann: Customer):
        account, client = store_credit(ann, 10), superuser()
        client.post(GIVE, sent(client, GIVE, customer=ann.pk, currency="usd", amount="1", reason="sorry"))
        assert (balance(ann), StoreCreditAccount.objects.get()) == (11, account)

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"customer": ""}, "customer"),
            ({"customer": "cus_nobody"}, "customer"),
            ({"customer": "a\0b"}, "customer"),
            ({"currency": ""}, "currency"),
            ({"currency": "xyz"}, "currency"),
            ({"currency": "xxx"}, "currency"),
            ({"currency": "a\0b"}, "currency"),
            ({"amount": "-1"}, "amount"),
            ({"amount": "0"}, "amount"),
            ({"amount": "0.5", "currency": "jpy"}, "amount"),
        ],
    )
    def test_what_cannot_be_given_is_reported_at_its_field(self, ann: Customer, wrong: Any, field: str):
        client = superuser()
        form = {"customer": ann.pk, "currency": "usd", "amount": "1", "reason": "sorry", **wrong}
        assert faults(client.post(GIVE, sent(client, GIVE, **form))) == [field]
        assert not StoreCreditAccount.objects.exists()

    def test_a_deleted_customer_is_given_nothing(self, ann: Customer):
        Customer.objects.filter(pk=ann.pk).update(deleted_at=now())
        client = superuser()
        form = sent(client, GIVE, customer=ann.pk, currency="usd", amount="1", reason="sorry")
        assert faults(client.post(GIVE, form)) == ["customer"]


class TestTheAccount:
    def test_its_page_shows_its_groups_and_newest_entries_at_the_same_cost_for_any_number(self, ann: Customer):
        account, client = store_credit(ann, 1), superuser()
        client.get(page_of(account))
        counts = []
        for more in (5, 45):
            for _ in range(more):
                store_credit(ann, 1)
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(page_of(account))
            counts.append(len(queries))
        assert counts[0] == counts[1]
        newest = answer.context["newest"]
        assert len(newest.rows) == 20
        assert newest.rows[0][1:3] == ("credit", "$1.00")
        (groups,) = answer.context["inline_admin_formsets"]
        assert len(groups.formset.forms) == 20
        assert client.get(newest.address).context["cl"].result_count == 51

    def test_its_groups_are_shown_page_by_page(self, ann: Customer):
        for amount in range(1, 22):
            account = store_credit(ann, amount)
        page = superuser().get(f"{page_of(account)}?transaction_groups-page=2").content.decode()
        assert ">$1.00<" in re.sub(r"\s", "", page).replace("usd", " usd")

    def test_accounts_are_found_by_their_customer(self, ann: Customer, bob: Customer):
        account = store_credit(ann, 10)
        store_credit(bob, 10)
        client = superuser()
        for query in ("q=ann", f"q={ann.pk}", f"q={account.pk}", f"customer__id__exact={ann.pk}"):
            assert list(client.get(f"{LIST}?{query}").context["cl"].result_list) == [account], query

    def test_a_picker_calls_it_by_its_customer_and_currency(self, ann: Customer):
        store_credit(ann, 10)
        query = "term=ann&app_label=giftcards&model_name=transactiongroup&field_name=account"
        (found,) = superuser().get(f"/admin/autocomplete/?{query}").json()["results"]
        assert found["text"] == "ann@example.com, US Dollar"


class TestTheCustomer:
    ADDRESS = "/admin/customers/customer/{}/change/"

    def test_its_page_shows_its_accounts_and_cards_to_anyone_who_may_view_them(self, ann: Customer, bob: Customer):
        store_credit(ann, "12.50")
        card = gift_card(99, customer_id=ann.pk)
        gift_card(77, customer_id=bob.pk)
        address = self.ADDRESS.format(ann.pk)
        page = superuser().get(address).content.decode()
        assert "$12.50" in page
        assert "$99.00" in page
        assert "$77.00" not in page
        assert f"/admin/giftcards/giftcard/{quote(card.pk)}/change/" in page
        page = visitor("customers.view_customer").get(address).content.decode()
        assert "$12.50" not in page
        assert "$99.00" not in page

    def test_what_is_sent_with_the_customer_changes_neither(self, ann: Customer):
        account, card = store_credit(ann, 10), gift_card(customer_id=ann.pk)
        client, before = superuser(), books()
        form = sent(client, self.ADDRESS.format(ann.pk), first_name="Anna")
        for prefix, row in (("store_credit_accounts", account), ("gift_cards", card)):
            form |= {
                f"{prefix}-TOTAL_FORMS": ["3"],
                f"{prefix}-INITIAL_FORMS": ["2"],
                **{f"{prefix}-0-{name}": [value] for name, value in (("id", row.pk), ("value", "1"), ("DELETE", "on"))},
                **{f"{prefix}-2-{name}": ["1"] for name in ("value", "code", "balance")},
            }
        assert client.post(self.ADDRESS.format(ann.pk), form).status_code == 302
        ann.refresh_from_db()
        assert (ann.first_name, books()) == ("Anna", before)

    def test_it_costs_the_same_for_any_number_of_cards(self, ann: Customer):
        client, counts = superuser(), []
        client.get(self.ADDRESS.format(ann.pk))
        for more in (2, 12):
            for _ in range(more):
                gift_card(customer_id=ann.pk)
            with CaptureQueriesContext(connection) as queries:
                client.get(self.ADDRESS.format(ann.pk))
            counts.append(len(queries))
        assert counts[0] == counts[1]


class TestOutstanding:
    def test_balances_are_counted_back_from_now_by_the_entries_of_each_day(
        self, ann: Customer, bob: Customer, monkeypatch: pytest.MonkeyPatch
    ):
        today = now().replace(hour=12)
        for days, customer, amount, currency_code in (
            *((200, ann, 1000, "usd"), (89, ann, 10, "usd"), (2, bob, "0.50", "usd")),
            *((1, ann, 300, "jpy"), (0, ann, -110, "usd"), (0, bob, 5, "usd")),
        ):
            moment = today - timedelta(days=days)
            monkeypatch.setattr("giftcards.ledger.ledger.now", lambda moment=moment: moment)
            store_credit(customer, amount, currency_code=currency_code)
        yen, dollars = balance_histories(actor=SYSTEM, days=90)
        assert (yen.currency_code, dollars.currency_code) == ("jpy", "usd")
        days = [day for day, _ in dollars.balances]
        assert (len(days), days[0], days[-1]) == (90, today.date() - timedelta(days=89), today.date())
        amounts = [amount for _, amount in dollars.balances]
        assert amounts[0] == amounts[86] == 1010
        assert amounts[87:] == [Decimal("1010.50"), Decimal("1010.50"), Decimal("905.50")]
        assert [amount for _, amount in yen.balances][-3:] == [0, 300, 300]

    def test_a_currency_that_is_owed_no_more_is_still_reported(self, ann: Customer):
        assert balance_histories(actor=SYSTEM, days=90) == []
        store_credit(ann, 10)
        store_credit(ann, -10)
        (course,) = balance_histories(actor=SYSTEM, days=90)
        assert {amount for _, amount in course.balances} == {0}

    def test_the_page_draws_a_line_for_each_currency_with_its_numbers(self, ann: Customer):
        client = superuser()
        assert "There was no outstanding store credit." in client.get(OUTSTANDING).content.decode()
        store_credit(ann, 1250)
        store_credit(ann, 3, currency_code="eur")
        page = client.get(OUTSTANDING).content.decode()
        lines = re.findall(r'<polyline points="([^"]*)"', page)
        assert len(lines) == 2
        assert all(len(line.split()) == 90 and line.endswith("900.0,0.0") for line in lines)
        assert page.count("<svg viewBox") == 2
        assert page.count('<td class="text-right">$1,250.00</td>') == 1
        assert page.count('<td class="text-right">$0.00</td>') == 89

    def test_it_is_one_statement_for_any_number_of_entries(self, ann: Customer, django_assert_num_queries: Any):
        for more in (1, 20):
            for _ in range(more):
                store_credit(ann, 1)
                store_credit(CustomerFactory(), 1, currency_code="eur")
            with django_assert_num_queries(1):
                balance_histories(actor=SYSTEM, days=90)

    def test_only_who_may_view_accounts_sees_it(self):
        with pytest.raises(Forbidden):
            balance_histories(actor=ANONYMOUS, days=90)
        assert visitor(BOOK).get(OUTSTANDING).status_code == 403
        assert visitor(VIEW).get(OUTSTANDING).status_code == 200
