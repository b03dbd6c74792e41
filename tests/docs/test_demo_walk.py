"""What the demo prints leads to an order, and fits on a screen."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from carts.models import Cart
from giftcards.models import GiftCard, StoreCreditAccount
from orders.models import Order
from payments.models import PaymentCollection, PaymentSession
from tests.docs.pages import run
from tests.packages import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_printed_walk_leads_to_store_credit_on_the_cart_and_to_an_order_number(live_server: LiveServer) -> None:
    output = StringIO()
    call_command("demo", "--no-serve", f"--port={live_server.thread.port}", "--host=localhost", stdout=output)
    pasted = re.findall(r"^  export .*\n", output.getvalue(), re.MULTILINE)
    assert "`sh docs/first-order.sh`" in output.getvalue()
    command = f"{''.join(pasted)} sh docs/first-order.sh"
    answered = run(["sh", "-e"], command, {"PATH": "/usr/bin:/bin"}, folder=ROOT)
    assert len(output.getvalue().splitlines()) <= 24
    assert '"status":"awaiting","payment_sessions":[{"id":"payses_' in answered
    assert '"status":"redeemed","value":25,"currency_code":"gbp"' in answered
    assert '"currency_code":"gbp","balance":27.5' in answered  # 2.50 of them are from before
    order = Order.objects.get()
    assert f'{{"order":{{"id":"{order.pk}","display_id":1,"payment_status":"authorized"' in answered
    assert '"title":"Assam Mangalam","quantity":2' in answered
    cart, collection = Cart.objects.get(), PaymentCollection.objects.get()
    assert cart.credit_line_total == 5
    assert collection.amount == order.total == cart.total == cart.item_total + cart.shipping_total - 5
    assert GiftCard.objects.get(code="DEMO-TEA-FOR-MARA").status == "redeemed"
    sessions = PaymentSession.objects.values_list("status", "amount").order_by("created_at")
    assert list(sessions) == [("authorized", cart.total)]  # it has followed the store credit
    assert StoreCreditAccount.objects.get(currency_id="gbp").balance == 22.5
    again = run(["sh", "-e"], command, {"PATH": "/usr/bin:/bin"}, folder=ROOT)
    assert '"display_id":2,' in again
