"""One link to an order, used by many at once."""

from collections import Counter

import pytest

from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token
from orders.models import OrderLookup
from tests.concurrency.crowd import at_once
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.orders.lookups.asking import LOOKUP, ask, browser, page
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_twenty_uses_at_once_one_shows_the_order() -> None:
    """By the API and by the page, in turns."""
    guest, made = storefront(publishable_key()), placed()
    assert ask(guest, made.display_id).status_code == 202
    send_due()
    token = mail_token("order_lookup", OrderLookup.objects.get().pk, 1)

    def use(number: int) -> int:
        if number % 2:
            return browser().post(page(token)).status_code
        return guest.post(f"{LOOKUP}/{token}").status_code

    assert Counter(at_once(use, threads=20)) == {200: 1, 404: 19}
