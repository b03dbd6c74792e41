"""Forms about money that are sent more than once at the same time, as by a double click."""

from collections import Counter
from threading import Barrier
from typing import Any

import pytest
from django.test import Client

from giftcards.admin import batches
from giftcards.ledger import adjustment, ledger
from giftcards.models import GiftCard, StoreCreditAccount, Transaction
from orders.admin.actions import action_url
from orders.models import FulfillmentItem, GrantedRefund
from tests.concurrency.crowd import at_once
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.factories.shop import RegionFactory
from tests.giftcards.books import groups
from tests.kit.admin.forms import Values, sent
from tests.kit.admin.visits import superuser
from tests.orders.admin.forms.desk import history
from tests.orders.fulfillments.shop import lines
from tests.orders.refunds.shop import reason
from tests.orders.returns.shop import paid

pytestmark = pytest.mark.django_db(transaction=True)

ISSUE = "/admin/giftcards/giftcard/add/"
TERMS = {"value": "50", "currency": "usd", "count": "2"}


@pytest.fixture(autouse=True)
def region(transactional_db: None) -> None:
    """Cards are issued in a currency that somebody can spend."""
    RegionFactory()


@pytest.fixture
def account() -> StoreCreditAccount:
    """With two groups of 5: a debit of 5 that comes twice would find another group, which no constraint sees."""
    ann = CustomerFactory()
    store_credit(ann, 5)
    return store_credit(ann, 5)


def statuses(client: Client, address: str, form: Values, *, threads: int) -> Counter[int]:
    """The statuses of the answers to the same form, sent that often at once from one browser."""
    browsers = [Client() for _ in range(threads)]
    for browser in browsers:
        browser.cookies = client.cookies
    return Counter(at_once(lambda number: browsers[number].post(address, form).status_code, threads=threads))


def adjust_at_once(account: StoreCreditAccount, *, threads: int) -> Counter[int]:
    client, address = superuser(), f"/admin/giftcards/storecreditaccount/{account.pk}/adjust/"
    return statuses(client, address, sent(client, address, amount="-5", reason="recount"), threads=threads)


def test_an_adjustment_is_booked_once(account: StoreCreditAccount) -> None:
    assert adjust_at_once(account, threads=6) == {302: 6}
    assert groups(account.pk) == [0, 5]


def test_a_form_issues_its_cards_once() -> None:
    client = superuser()
    assert statuses(client, ISSUE, sent(client, ISSUE, **TERMS), threads=6) == {200: 6}
    assert GiftCard.objects.count() == 2


@pytest.mark.postgresql
class TestWithoutTheLock:
    """Two meet after both have looked whether the work is done, and the proofs above fail."""

    def test_an_adjustment_is_booked_twice(self, account: StoreCreditAccount, monkeypatch: pytest.MonkeyPatch) -> None:
        lock, meeting = ledger.lock_account_of, Barrier(2)

        def meet(*owner: Any) -> Any:
            meeting.wait(20)
            return lock(*owner)

        monkeypatch.setattr(adjustment, "lock_named", lambda name: None)
        monkeypatch.setattr(ledger, "lock_account_of", meet)
        assert adjust_at_once(account, threads=2) == {302: 2}
        assert groups(account.pk) == [0, 0]
        assert Transaction.objects.filter(type="debit").values("reference_id").distinct().count() == 1

    def test_a_form_issues_its_cards_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        issue, meeting = batches.issue, Barrier(2)

        def meet(**terms: Any) -> Any:
            meeting.wait(20)
            return issue(**terms)

        monkeypatch.setattr(batches, "lock_named", lambda name: None)
        monkeypatch.setattr(batches, "issue", meet)
        client = superuser()
        assert statuses(client, ISSUE, sent(client, ISSUE, **TERMS), threads=2) == {200: 2}
        assert GiftCard.objects.count() == 4


def test_a_form_packs_once() -> None:
    client, order = superuser(), paid()
    address = action_url(order.pk, "pack")
    form = sent(client, address, **{f"units_{lines(order)[0].pk}": "2"})
    assert statuses(client, address, form, threads=6) == {302: 6}
    assert [item.units for item in FulfillmentItem.objects.all()] == [2]
    assert len(history(order)) == 1


def test_a_form_refunds_once() -> None:
    client, order = superuser(), paid()
    address = action_url(order.pk, "refund")
    form = sent(client, address, amount="5", refund_reason_id=reason().pk)
    assert statuses(client, address, form, threads=6) == {302: 6}
    assert [refund.amount for refund in GrantedRefund.objects.all()] == [5]
    assert len(history(order)) == 1
