"""What the demo prints is typed as it is printed."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from carts.models import Cart
from giftcards.models import GiftCard
from payments.models import PaymentCollection, PaymentSession
from tests.docs.test_examples import run

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_printed_walks_lead_to_a_payment_session_and_to_store_credit_on_the_cart(live_server: LiveServer) -> None:
    told = StringIO()
    call_command("demo", "--no-serve", f"--port={live_server.thread.port}", "--host=localhost", stdout=told)
    to_pay, to_credit = re.findall(r"^\S.*:\n\n((?:  .*\n)+)", told.getvalue(), re.MULTILINE)[-2:]
    answered = run(["sh", "-e"], to_pay + to_credit, {"PATH": "/usr/bin:/bin"})
    assert '"status":"awaiting","payment_sessions":[{"id":"payses_' in answered
    assert '"status":"redeemed","value":25,"currency_code":"gbp"' in answered
    assert '"currency_code":"gbp","balance":27.5' in answered  # 2.50 of them are from before
    cart, collection = Cart.objects.get(), PaymentCollection.objects.get()
    assert cart.credit_line_total == 5
    assert collection.amount == cart.total == cart.item_total + cart.shipping_total - 5
    assert GiftCard.objects.get(code="DEMO-TEA-FOR-MARA").status == "redeemed"
    assert PaymentSession.objects.get().status == "canceled"  # it was for more than is left to pay
