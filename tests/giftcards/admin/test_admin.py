"""The screens of gift cards and of the ledger, as staff use them."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import Settings

from customers.models import Customer
from giftcards.cards import cancellation, redemption
from giftcards.models import GiftCard, StoreCreditAccount, Transaction, TransactionGroup
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import Region
from tests.factories.giftcards import gift_card, redeemer, store_credit
from tests.giftcards.books import books
from tests.kit.admin.forms import changed, confirmed, sent
from tests.kit.admin.visits import history, refusals, reported, superuser, visitor

pytestmark = [pytest.mark.every(2), pytest.mark.once, pytest.mark.django_db, pytest.mark.usefixtures("regions")]

LIST, ADD = "/admin/giftcards/giftcard/", "/admin/giftcards/giftcard/add/"
ENTRIES, GROUPS = "/admin/giftcards/transaction/", "/admin/giftcards/transactiongroup/"
VIEW, ADDING, CHANGE = (f"giftcards.{verb}_giftcard" for verb in ("view", "add", "change"))
TERMS = {"value": "50", "currency": "usd", "count": "1"}
WHY = {"post": "yes", "reason": "printed twice"}


def page_of(card: GiftCard) -> str:
    return f"{LIST}{quote(card.pk)}/change/"


def cancel_of(card: GiftCard) -> str:
    return f"{LIST}{card.pk}/cancel/"


def codes(answer: Any) -> list[str]:
    """The codes on the page that answers an issue."""
    assert answer.status_code == 200, answer.status_code
    return re.findall(r"<li>(GIFT-[^<]*)</li>", answer.content.decode())


def listed(client: Client, query: str) -> set[str]:
    return {row.pk for row in client.get(f"{LIST}?{query}").context["cl"].result_list}


def said() -> list[str]:
    """What the history says, oldest first."""
    return [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]


def statuses() -> set[str]:
    return set(GiftCard.objects.values_list("status", flat=True))


class TestTheList:
    def test_no_screen_shows_a_whole_code(self, ann: Customer):
        card = gift_card(customer_id=ann.pk)
        redemption.redeem(actor=redeemer(ann), id_or_code=card.pk)
        guests = gift_card()
        redemption.redeem_for_guest(actor=SYSTEM, card_id=guests.pk)
        client, account = superuser(), StoreCreditAccount.objects.get(customer=ann)
        of_card = StoreCreditAccount.objects.get(gift_card=guests)
        for address in (
            *(LIST, page_of(card), f"{page_of(card).removesuffix('change/')}history/", ENTRIES, GROUPS),
            *(f"/admin/giftcards/storecreditaccount/{each.pk}/change/" for each in (account, of_card)),
            *("/admin/giftcards/storecreditaccount/", f"/admin/customers/customer/{ann.pk}/change/", "/admin/"),
        ):
            page = client.get(address).content.decode()
            for each in (card, guests):
                assert each.code not in page
                assert each.code[5:-4] not in page
        assert f"…{card.code[-4:]}" in client.get(LIST).content.decode()

    def test_a_card_is_found_by_its_whole_code_and_by_what_names_it(self, ann: Customer):
        card, other = gift_card(customer_id=ann.pk, reference="import", reference_id="a-1"), gift_card()
        client = superuser()
        for term in (card.code, card.code.lower(), f" {card.code} ", card.pk, "import", "A-1", "ann@example.com"):
            assert listed(client, f"q={term}") == {card.pk}
        for part in (card.code[:9], card.code[-4:], "GIFT", "ann", "import a-2"):
            assert listed(client, f"q={part}") == set()
        assert listed(client, "") == {card.pk, other.pk}

    @pytest.mark.parametrize("query", ["q=a%00b", "q=" + "x" * 5_000, "expired=a%00b", "status__exact=a%00b", "o=a.99"])
    def test_no_query_fails(self, query: str):
        assert superuser().get(f"{LIST}?{query}").status_code in (200, 302, 400)

    def test_it_is_narrowed_by_status_currency_and_expiry(self):
        pending, expired, euros, gone = gift_card(), gift_card(), gift_card(currency_code="eur"), gift_card()
        GiftCard.objects.filter(pk__in=[expired.pk, gone.pk]).update(expires_at=now() - timedelta(seconds=1))
        cancellation.cancel(actor=SYSTEM, card_id=gone.pk)
        client = superuser()
        assert listed(client, "expired=yes") == {expired.pk}
        assert listed(client, "expired=no") == {pending.pk, euros.pk, gone.pk}
        assert listed(client, "status__exact=canceled") == {gone.pk}
        assert listed(client, "currency__code__exact=eur") == {euros.pk}
        assert len(re.findall(r">\s*expired\s*<", client.get(LIST).content.decode())) == 1


class TestIssuing:
    def test_the_codes_are_on_the_page_that_answers_and_nowhere_else(self, ann: Customer):
        client = superuser()
        terms = {**TERMS, "value": "12.50", "count": "3", "customer": ann.pk, "note": "Thank you"}
        expiry = {"expires_at_0": "2099-12-31", "expires_at_1": "23:59"}
        answer = client.post(ADD, sent(client, ADD, **terms, **expiry))
        made = list(GiftCard.objects.order_by("pk"))
        assert codes(answer) == [card.code for card in made]
        assert len(made) == 3
        assert "no-store" in answer["Cache-Control"]
        for card in made:
            assert (str(card.value), card.currency_id, card.customer_id) == ("12.5", "usd", ann.pk)
            assert (card.note, card.status, f"{card.expires_at:%Y-%m-%d %H:%M}") == (
                *("Thank you", "pending"),
                "2099-12-31 23:59",
            )
        assert {(card.reference, card.reference_id) for card in made} == {("batch", made[0].reference_id)}
        assert history() == [(f"…{card.code[-4:]}", 1) for card in made]
        assert said() == ["Issued: $12.50."] * 3
        kept = [client.get(LIST).content.decode(), *(str(session.get_decoded()) for session in Session.objects.all())]
        assert not [card for card in made for text in kept if card.code in text]

    def test_a_form_that_is_sent_twice_issues_once_and_shows_its_codes_again(self):
        client = superuser()
        form = sent(client, ADD, **TERMS)
        first = codes(client.post(ADD, form))
        before = books()
        assert codes(client.post(ADD, form)) == first
        assert books() == before
        assert said() == ["Issued: $50.00."]
        assert codes(client.post(ADD, sent(client, ADD, **TERMS))) != first

    @pytest.mark.parametrize("count", [1, 2])
    def test_a_form_that_is_sent_again_with_other_terms_says_that_it_issues_nothing(self, ann: Customer, count: int):
        client = superuser()
        form = sent(client, ADD, **{**TERMS, "count": str(count), "note": "Thank you"})
        client.post(ADD, form)
        before, cards = books(), "a gift card" if count == 1 else "2 gift cards"
        said = f"Nothing was issued: this form has already issued {cards} of $50.00. Open it again to issue others"
        for terms in ({"value": "30"}, {"currency": "eur"}, {"count": "5"}, {"customer": ann.pk}, {"note": ""}):
            answer = client.post(ADD, confirmed(client, ADD, changed(form, **terms)))
            assert codes(answer) == []
            assert answer.context["adminform"].form.non_field_errors() == [said]
        assert books() == before
        assert GiftCard.objects.count() == count

    def test_it_issues_once_also_if_the_secret_key_is_changed_in_between(self, settings: Settings):
        client = superuser()
        form = sent(client, ADD, **TERMS)
        first = codes(client.post(ADD, form))
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another secret", [settings.SECRET_KEY]
        assert codes(client.post(ADD, form)) == first

    def test_nobody_learns_codes_by_what_a_screen_shows_of_their_batch(self):
        client = superuser()
        form = sent(client, ADD, **TERMS)
        (code,) = codes(client.post(ADD, form))
        batch = GiftCard.objects.get().reference_id
        assert code not in codes(client.post(ADD, sent(client, ADD, **TERMS, ticket=batch[:26])))
        assert code not in codes(superuser().post(ADD, form))

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"value": ""}, "value"),
            ({"value": "0"}, "value"),
            ({"value": "-1"}, "value"),
            ({"value": "NaN"}, "value"),
            ({"value": "1e5"}, "value"),
            ({"value": "100000000000.01"}, "value"),
            ({"value": "9" * 40}, "value"),
            ({"value": "1\0"}, "value"),
            ({"value": "0.001"}, "value"),
            ({"value": "0.5", "currency": "jpy"}, "value"),
            ({"currency": ""}, "currency"),
            ({"currency": "a\0b"}, "currency"),
            ({"currency": "xyz"}, "currency"),
            ({"currency": "xxx"}, "currency"),
            ({"count": "0"}, "count"),
            ({"count": "101"}, "count"),
            ({"count": "9" * 5_000}, "count"),
            ({"customer": "cus_nobody"}, "customer"),
            ({"customer": "a\0b"}, "customer"),
            ({"expires_at_0": "2099-02-30"}, "expires_at"),
            ({"expires_at_0": "0001-01-01", "expires_at_1": "00:00"}, "expires_at"),
            ({"expires_at_0": "99999-01-01", "expires_at_1": "00:00"}, "expires_at"),
            ({"expires_at_0": "2099-12-31", "expires_at_1": "a\0b"}, "expires_at"),
            ({"note": "a\0b"}, "note"),
            ({"note": "x" * 1_001}, "note"),
            ({"ticket": ""}, "ticket"),
            ({"ticket": "a\0b"}, "ticket"),
        ],
    )
    def test_what_no_card_can_be_is_reported_at_its_field(self, wrong: Any, field: str):
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, **{**TERMS, **wrong}))
        assert answer.status_code == 200
        assert list(answer.context["adminform"].form.errors) == [field]
        assert not GiftCard.objects.exists()

    def test_the_currencies_that_the_shop_sells_in_are_offered(self):
        field = superuser().get(ADD).context["adminform"].form.fields["currency"]
        sold = Region.objects.not_deleted().order_by("currency__name").values_list("currency", flat=True)
        assert [code for code, _ in field.choices] == ["", *dict.fromkeys(sold)]

    @pytest.mark.parametrize(
        ("wrong", "match"),
        [
            ({"value": "99999999999.99"}, ""),
            ({"expires_at_0": "2020-01-01", "expires_at_1": "00:00"}, "'expires_at' must be in the future"),
        ],
    )
    def test_what_the_verb_refuses_is_reported_above_the_form(self, wrong: Any, match: str):
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, **{**TERMS, **wrong}))
        if match:
            assert match in " ".join(refusals(answer))
        assert GiftCard.objects.exists() is not bool(match)

    def test_a_deleted_customer_gets_none(self, ann: Customer):
        Customer.objects.filter(pk=ann.pk).update(deleted_at=now())
        client = superuser()
        answer = client.post(ADD, sent(client, ADD, **TERMS, customer=ann.pk))
        assert list(answer.context["adminform"].form.errors) == ["customer"]

    def test_only_who_may_add_cards_issues(self):
        client = superuser()
        form = sent(client, ADD, **TERMS)
        for permissions in ((), (VIEW, CHANGE)):
            assert visitor(*permissions).get(ADD).status_code == 403
            assert visitor(*permissions).post(ADD, form).status_code == 403
        assert not GiftCard.objects.exists()
        assert len(codes(visitor(ADDING).post(ADD, form))) == 1


class TestCanceling:
    def test_a_card_is_canceled_for_a_reason_that_the_history_keeps(self):
        client, card, other = superuser(), gift_card(), gift_card()
        assert "Cancel gift cards?" in client.get(cancel_of(card)).content.decode()
        answer = client.post(cancel_of(card), WHY)
        assert answer["Location"] == page_of(card)
        assert reported(answer) == ["1 gift card canceled."]
        assert dict(GiftCard.objects.values_list("pk", "status")) == {card.pk: "canceled", other.pk: "pending"}
        assert (history(), said()) == ([(f"…{card.code[-4:]}", 2)], ["Canceled: printed twice"])

    def test_a_second_sending_changes_nothing(self):
        client, card = superuser(), gift_card()
        client.post(cancel_of(card), WHY)
        before = books()
        assert "cannot become canceled" in reported(client.post(cancel_of(card), WHY))[-1]
        assert books() == before
        assert said() == ["Canceled: printed twice"]

    @pytest.mark.parametrize("reason", ["", "  ", "a\0b", "x" * 1_001])
    def test_without_a_reason_nothing_is_canceled(self, reason: str):
        client, card = superuser(), gift_card()
        answer = client.post(cancel_of(card), {"post": "yes", "reason": reason})
        assert list(answer.context["form"].errors) == ["reason"]
        assert (statuses(), said()) == ({"pending"}, [])

    def test_many_are_canceled_at_once_and_a_redeemed_one_is_reported(self, ann: Customer):
        client, cards, redeemed = superuser(), [gift_card(), gift_card()], gift_card()
        redemption.redeem(actor=redeemer(ann), id_or_code=redeemed.pk)
        chosen = {"action": "cancel_selected", "_selected_action": [card.pk for card in (*cards, redeemed)]}
        assert "Cancel gift cards?" in client.post(LIST, chosen).content.decode()
        assert statuses() == {"pending", "redeemed"}
        answer = client.post(LIST, {**chosen, **WHY})
        assert reported(answer)[0] == "2 gift cards canceled."
        assert reported(answer)[1].startswith(f"…{redeemed.code[-4:]}: The gift card is redeemed")
        assert statuses() == {"canceled", "redeemed"}

    def test_only_who_may_change_cards_cancels(self):
        card = gift_card()
        for permissions in ((VIEW,), (VIEW, ADDING), (CHANGE,)):
            client = visitor(*permissions)
            assert client.post(cancel_of(card), WHY).status_code == 403
            client.post(LIST, {"action": "cancel_selected", "_selected_action": [card.pk], **WHY})
            assert statuses() == {"pending"}
        assert visitor(VIEW).get(page_of(card)).context["actions_detail"] == []
        visitor(VIEW, CHANGE).post(cancel_of(card), WHY)
        assert statuses() == {"canceled"}

    def test_there_is_no_card_to_cancel_under_another_id(self):
        assert superuser().post(f"{LIST}gcard_nobody/cancel/", WHY).status_code == 404
        assert superuser().post(f"{LIST}a%00b/cancel/", WHY).status_code == 404


class TestNobodyWrites:
    @pytest.mark.parametrize("model", [GiftCard, StoreCreditAccount, TransactionGroup, Transaction])
    def test_a_row_is_neither_added_nor_changed_nor_deleted(self, model: Any, ann: Customer):
        gift_card()
        store_credit(ann)
        client, before = superuser(), books()
        address = f"/admin/giftcards/{model._meta.model_name}/"
        row = model.objects.get()
        page = client.get(f"{address}{row.pk}/change/").content.decode()
        assert 'name="_save"' not in page
        assert client.post(f"{address}{row.pk}/change/", {"note": "x", "value": 1}).status_code == 403
        assert client.get(f"{address}{row.pk}/delete/").status_code == 403
        assert client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
        client.post(address, {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        if model is not GiftCard:
            assert client.get(f"{address}add/").status_code == 403
            assert client.post(f"{address}add/", {"amount": 1}).status_code == 403
        assert books() == before

    @pytest.mark.parametrize("model", [GiftCard, StoreCreditAccount])
    def test_who_may_change_rows_but_not_view_them_sees_none(self, model: Any, ann: Customer):
        gift_card()
        store_credit(ann)
        name = model._meta.model_name
        client, address = visitor(f"giftcards.change_{name}"), f"/admin/giftcards/{name}/"
        assert client.get(address).status_code == 403
        assert client.get(f"{address}{model.objects.get().pk}/change/").status_code == 403


class TestTheLedger:
    def test_entries_say_who_made_them_and_are_found_by_what_they_are_for(self, ann: Customer, bob: Customer):
        account = store_credit(ann, 10)
        store_credit(bob, 20)
        entry = Transaction.objects.get(group__account=account)
        client = superuser()
        for query in (f"q={entry.reference_id}", "q=ann@example.com", f"group__account__id__exact={account.pk}"):
            assert [row.pk for row in client.get(f"{ENTRIES}?{query}").context["cl"].result_list] == [entry.pk], query
        page = client.get(f"{ENTRIES}{entry.pk}/change/").content.decode()
        assert "$10.00" in page
        assert "for the test" in page

    def test_a_group_shows_what_is_left_of_it(self, ann: Customer):
        account = store_credit(ann, 10)
        (row,) = superuser().get(f"{GROUPS}?q={account.pk}").context["cl"].result_list
        assert row.code == f"adjustment:{Transaction.objects.get().reference_id}"
        assert "$10.00" in superuser().get(f"{GROUPS}{row.pk}/change/").content.decode()
