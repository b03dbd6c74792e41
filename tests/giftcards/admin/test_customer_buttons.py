"""Store credit and gift cards are given from a customer's page, and gift cards mailed to their customer."""

import pytest
from django.contrib.admin.utils import quote
from django.core import mail
from django.urls import reverse

from customers.models import Customer
from giftcards.models import GiftCard, StoreCreditAccount
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.values.ids import new_id, new_ulid
from tests.factories.customers import CustomerFactory
from tests.kit.admin.forms import errors, sent
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.usefixtures("regions")]

ADD = "/admin/giftcards/giftcard/add/"
GIVING = {
    "give_store_credit": ("giftcards.view_storecreditaccount", "giftcards.add_transaction"),
    "issue_gift_card": ("giftcards.view_giftcard", "giftcards.add_giftcard"),
}


@pytest.fixture
def ann(db: None) -> Customer:
    return CustomerFactory(email="ann@example.com", has_account=True)


def address(name: str, customer: Customer) -> str:
    return reverse(f"admin:customers_customer_{name}", args=[quote(customer.pk)])


def test_the_form_for_store_credit_has_the_customer_and_books_once(ann: Customer) -> None:
    client = superuser()
    form = client.get(address("give_store_credit", ann))["Location"]
    values = sent(client, form, currency="usd", amount="12.50", reason="Sorry")
    assert values["customer"] == [ann.pk]
    for _ in range(2):
        assert client.post(form, values).status_code == 302
    account = StoreCreditAccount.objects.get()
    assert (account.customer, account.balance) == (ann, 12.5)


def test_the_form_for_gift_cards_has_the_customer(ann: Customer) -> None:
    client = superuser()
    form = client.get(address("issue_gift_card", ann))["Location"]
    values = sent(client, form, value="25", currency="usd")
    assert (values["customer"], "notify" in values) == ([ann.pk], False)
    client.post(form, values)
    card = GiftCard.objects.get()
    assert (card.customer, card.value) == (ann, 25)
    assert not Mail.objects.exists()


def test_the_code_is_mailed_to_the_customer_where_that_is_chosen(ann: Customer) -> None:
    client = superuser()
    values = sent(client, ADD, value="25", currency="usd", customer=ann.pk, notify="on", count="2")
    for _ in range(2):
        client.post(ADD, values)
    send_due()
    assert [letter.to for letter in mail.outbox] == [["ann@example.com"]] * 2
    codes = {card.code for card in GiftCard.objects.all()}
    assert {code for code in codes for letter in mail.outbox if code in letter.body} == codes


def test_nobody_is_mailed_where_no_customer_is_chosen() -> None:
    client = superuser()
    answer = client.post(ADD, sent(client, ADD, value="25", currency="usd", notify="on"))
    assert errors(answer) == {"customer": ["Choose a customer with an email address, who gets the email."]}
    assert not GiftCard.objects.exists()


@pytest.mark.parametrize("name", GIVING)
def test_who_may_not_give_has_no_button(name: str, ann: Customer) -> None:
    viewing = "customers.view_customer"
    page = reverse("admin:customers_customer_change", args=[quote(ann.pk)])
    for missing in GIVING[name]:
        client = visitor(viewing, *({*GIVING[name]} - {missing}))
        assert address(name, ann) not in client.get(page).content.decode()
        assert client.get(address(name, ann)).status_code == 403
    assert address(name, ann) in visitor(viewing, *GIVING[name]).get(page).content.decode()


def test_a_deleted_customer_is_given_nothing(ann: Customer) -> None:
    Customer.objects.update(deleted_at=ann.created_at)
    for name in GIVING:
        assert superuser().get(address(name, ann)).status_code == 404


def test_who_may_not_view_customers_learns_nothing_about_them(ann: Customer) -> None:
    """Forms and filters name a customer whose id the address or the form has."""
    client = visitor(*(permission for needed in GIVING.values() for permission in needed))
    give, confirmed = reverse("admin:giftcards_storecreditaccount_give"), {"post": "yes", "ticket": new_ulid()}
    chosen = {"customer": ann.pk, "currency": "usd"}
    credit = {**chosen, "amount": "5", "reason": "Sorry", "adjustment_id": new_id("sc_adj"), **confirmed}
    lists = [reverse(f"admin:giftcards_{name}_changelist") for name in ("storecreditaccount", "giftcard")]
    pages = [client.get(page, {"customer": ann.pk}) for page in (give, ADD)]
    pages += [client.get(page, {"customer__id__exact": ann.pk}) for page in lists]
    pages += [client.post(give, credit), client.post(ADD, {**chosen, "value": "5", "count": "1", **confirmed})]
    assert [page.status_code for page in pages] == [200] * 6
    assert not any("ann@" in page.content.decode() for page in pages)
    assert not StoreCreditAccount.objects.exists()
    assert not GiftCard.objects.exists()
    for page in lists:
        assert "ann@" in superuser().get(page, {"customer__id__exact": ann.pk}).content.decode()
