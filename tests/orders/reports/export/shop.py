"""Orders that were bought and paid, and exports of them, read as a program reads them."""

import csv
import io
from typing import Any

from carts.models import Cart
from fulfillment.methods import method_choice
from kit.domain.actor import SYSTEM, Actor
from kit.values.csv_format import PLAIN, CsvFormat
from orders.models import Order
from orders.reports.export.choice import Choice
from orders.reports.export.kinds import ORDERS, Kind
from orders.reports.export.writing import Batches, write
from tests.factories.carts import selling_region, shopper, sold_variant
from tests.factories.checkout import checked_out_cart
from tests.factories.fulfillment import option
from tests.orders.completing import order_of
from tests.orders.refunds.shop import captured, paid
from tests.payments.providers import FAKE


def passed_on(batches: Batches, _: int) -> Batches:
    return batches


def exported(
    kind: Kind = ORDERS, *, actor: Actor = SYSTEM, watch: Any = passed_on, csv_format: CsvFormat = PLAIN, **choice: Any
) -> bytes:
    """The bytes of the file."""
    file = io.BytesIO()
    write(file, kind, actor=actor, choice=Choice(**choice), watch=watch, csv_format=csv_format)
    return file.getvalue()


def rows(content: bytes) -> list[dict[str, str]]:
    """Its rows by the names of their columns."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def completed(cart: Cart) -> Order:
    """The order of the cart, captured in full."""
    return captured(order_of(paid(cart, FAKE)))


def bought(*pieces: Any) -> Order:
    """The order of one of each variant."""
    return completed(checked_out_cart(*pieces, provider_id=FAKE))


def yen_order() -> Order:
    """1500 and shipping of 100, and a tenth of tax."""
    region = selling_region(currency_id="jpy", tax_rate=10)
    full = checked_out_cart(
        sold_variant(1500, currency_code="jpy"), provider_id=FAKE, region_id=region.pk, shipping=None
    )
    method_choice.choose(actor=shopper(), cart_id=full.pk, option_id=option(100, currency_code="jpy").pk)
    return completed(full)
