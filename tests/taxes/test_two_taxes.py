"""Every place that shows tax shows both of an order to Quebec, on which 5 % and 9.975 % are owed."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.utils.html import strip_tags
from django.utils.timezone import localdate

from carts.details import details
from fulfillment.methods import method_choice
from kit.domain.actor import SYSTEM
from kit.messages.outbox.models import Event
from orders.mails.orders import render_order_mail
from orders.models import Order
from orders.reports.export.kinds import LINES
from orders.reports.sales.best_sellers import best_sellers
from orders.reports.sales.by_day import sales_by_day
from tests.contract.callers import importer
from tests.factories.apikeys import secret_key
from tests.factories.carts import cart, selling_region, shopper, sold_variant
from tests.factories.checkout import ADDRESS, EMAIL, pay
from tests.factories.fulfillment import option, zone
from tests.factories.staff import UserFactory
from tests.factories.taxes import tax_rate
from tests.kit.admin.visits import superuser
from tests.kit.messages.mails.test_messages import message, page_of
from tests.orders.completing import order_of
from tests.orders.reports.export.shop import exported, rows

pytestmark = [pytest.mark.once, pytest.mark.django_db]

QUEBEC = {**ADDRESS, "city": "Montréal", "country_code": "ca", "province": "Québec", "postal_code": "H2Y 1C6"}


def quebec_order() -> Order:
    """A mug of 100.00 and shipping of 10.00."""
    tax_rate("ca", 5, name="GST", code="gst")
    tax_rate("ca", "9.975", "ca-qc", name="QST", code="qst", is_combinable=True)
    region = selling_region(countries=["ca"])
    made = cart(sold_variant(100), region_id=region.pk)
    region.payment_providers.add("pp_system_default")
    actor = shopper()
    details.change(actor=actor, cart_id=made.pk, email=EMAIL, shipping_address=QUEBEC, billing_address=QUEBEC)
    way = option(10, of=zone("ca"), name="Parcel")
    method_choice.choose(actor=actor, cart_id=made.pk, option_id=way.pk)
    made.refresh_from_db()
    pay(made)
    return order_of(made)


def text(html: Any) -> str:
    return " ".join(strip_tags(str(html).replace("<", " <")).split())


def test_the_api_shows_both_taxes() -> None:
    made, admin = quebec_order(), importer(secret_key(UserFactory(is_superuser=True)))
    assert Event.objects.get(name="order.placed").about == made.pk
    fields = "fields=tax_total,*items.tax_lines,*shipping_methods.tax_lines"
    shown = admin.get(f"/admin/orders/{made.pk}", fields).json()["order"]
    assert shown["tax_total"] == 16.48
    for part, amounts in ((shown["items"][0], (5, 9.98)), (shown["shipping_methods"][0], (0.5, 1))):
        assert [(tax["code"], tax["description"], tax["rate"], tax["total"]) for tax in part["tax_lines"]] == [
            ("gst", "GST", 5, amounts[0]),
            ("qst", "QST", 9.975, amounts[1]),
        ]


def test_the_page_of_the_order() -> None:
    shown = superuser().get(f"/admin/orders/order/{quote(quebec_order().pk)}/change/").context["sums"]
    assert [(text(each.meaning), text(each.amount)) for each in shown] == [
        ("Items without tax", "$100.00"),
        ("Shipping (Parcel) without tax", "$10.00"),
        ("GST 5 %", "$5.50"),
        ("QST 9.975 %", "$10.98"),
        ("Total with tax", "$126.48"),
    ]


def test_the_email() -> None:
    mail = render_order_mail(quebec_order().pk, 1)
    assert mail is not None
    letter = message(mail.template, mail.context)
    assert "  GST 5 %: $5.50\n  QST 9.975 %: $10.98\n  Total with tax: $126.48\n" in letter.body
    assert "GST 5 % $5.50 QST 9.975 % $10.98 Total with tax $126.48" in text(page_of(letter))


def test_the_exports() -> None:
    quebec_order()
    assert [row["taxes"] for row in rows(exported())] == ["5: 5.50; 9.975: 10.98"]
    assert [row["taxes"] for row in rows(exported(LINES))] == ["5: 5.00; 9.975: 9.98"]


def test_the_sales() -> None:
    quebec_order()
    today = localdate()
    sold = sales_by_day(SYSTEM, [today - timedelta(1), today])
    assert [each.amount for each in sold["usd"].values()] == [Decimal("126.48")]
    [best] = best_sellers(SYSTEM, since=today, number=1)
    assert dict(best.revenue) == {"usd": Decimal("114.98")}
