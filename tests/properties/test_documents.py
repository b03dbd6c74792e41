"""Whatever happens to an order, its documents sum to its worth less allowances, for each combination of rates."""

from collections import Counter, defaultdict
from contextlib import suppress
from decimal import Decimal
from random import Random

import pytest
from django.db import transaction
from django.db.models import Q

from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.values.money import percent_text
from orders.invoices.following import follow_value
from orders.models import Invoice, InvoiceLine, Order, OrderLineItem, OrderShippingMethod, Return
from orders.returns import receipt
from orders.returns.receipt import ReceivedItem
from orders.states import InvoiceReason
from tests.books import disagreements
from tests.orders.invoices.shop import documents, sums
from tests.properties.documents_shop import STEPS, DocumentsShop
from tests.savepoints import undone
from tests.walks import walks

pytestmark = pytest.mark.django_db
FIRST = 0
Amounts = dict[tuple[str, str], tuple[Decimal, Decimal]]
CENT = Decimal("0.01")


def worth(order: Order) -> Amounts:
    """By the order's rows, once what is agreed to come back has come, by category and combination of rates."""
    found: dict[tuple[str, str], list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    with undone():
        for back in Return.objects.filter(order=order, change__isnull=False, status__contains="re").exclude(
            status__in=["received", "canceled"]
        ):
            units = {
                row.item_id: row.quantity - row.received_quantity - row.damaged_quantity for row in back.items.all()
            }
            items = [ReceivedItem(key, damaged_quantity=number) for key, number in units.items() if number]
            receipt.receive(actor=SYSTEM, return_id=back.pk, items=items)
        came = Q(of_return=None) | Q(of_return__change__isnull=False)
        came |= Q(of_return__status__in=["received", "partially_received"])
        rows: list[OrderLineItem | OrderShippingMethod] = [
            *OrderLineItem.objects.not_deleted().filter(order=order),
            *OrderShippingMethod.objects.not_deleted().filter(came, order=order),
        ]
        for row in rows:
            block = found[_block(order, row)]
            block[0] += row.total - row.tax_total
            block[1] += row.total
    return {block: (net, gross) for block, (net, gross) in found.items() if gross}


def _block(order: Order, row: OrderLineItem | OrderShippingMethod) -> tuple[str, str]:
    rates = sorted(tax.rate for tax in row.tax_lines.filter(deleted_at=None))
    combination = "+".join(percent_text(rate).removesuffix(" %") for rate in rates)
    if getattr(row, "is_giftcard", False):
        return "O", ""
    if any(rates):
        return "S", combination
    return ("E" if order.is_tax_exempt and not rates else "Z"), combination


def check(shop: DocumentsShop, told: str) -> None:
    order = Order.objects.get(pk=shop.order.pk)
    assert disagreements() == [], told
    if not Invoice.objects.filter(order=order).exists():
        return
    with transaction.atomic():
        assert follow_value(order.pk, reason=InvoiceReason.CHANGE) == [], told
    wanted, got = {} if order.canceled_at else worth(order), sums(order)
    allowance = Decimal(0) if order.canceled_at else order.allowance_total
    taken = {}
    for block in {*wanted, *got}:
        refunds = InvoiceLine.objects.filter(
            invoice__order=order, kind="refund", category=block[0], combination=block[1]
        ).count()
        (net, gross), (own_net, own_gross) = wanted.get(block, (0, 0)), got.get(block, (0, 0))
        taken[block] = gross - own_gross
        assert 0 <= taken[block] <= gross, (told, block, wanted, got)
        rate = sum(map(Decimal, filter(None, block[1].split("+"))), Decimal(0))
        off = abs((net - own_net) - taken[block] / (1 + rate / 100))
        assert off <= CENT * refunds / 2, (told, block, wanted, got)
    whole = sum(gross for _, gross in wanted.values())
    assert sum(taken.values()) == min(allowance, whole), (told, wanted, got)
    for line in InvoiceLine.objects.filter(invoice__order=order).exclude(kind="refund"):
        assert min(line.total, line.subtotal, line.tax_total, line.discount_total) >= 0, told
        stated = line.total if line.is_tax_inclusive else line.subtotal
        if line.quantity:
            rounding = CENT / 2 * line.quantity
            assert abs(line.quantity * line.unit_price - line.discount_total - stated) <= rounding, told


def walk(seed: int) -> Counter[str]:
    """How often each step was done, and how many documents were written for which reason."""
    random = Random(seed)  # noqa: S311 - no secret
    shop, told, done = DocumentsShop(random), [f"seed {seed}"], Counter[str]()
    beginning = [DocumentsShop.capture, *([DocumentsShop.deliver] if random.random() < 0.7 else [])]
    for step in [*beginning, *random.choices(STEPS, k=random.randint(6, 14))]:
        before = documents(shop.order)
        with suppress(DomainError):
            step(shop)
            done[step.__name__] += 1
            written = documents(shop.order).removeprefix(before)
            told.append(f"{step.__name__}{written and f' -> {written}'}")
        shop.order.refresh_from_db()
        check(shop, "; ".join(told))
    return done + Counter(Invoice.objects.filter(order=shop.order).values_list("reason", flat=True))


@pytest.mark.every(2)
def test_documents_sum_to_what_the_order_is_worth_less_allowances() -> None:
    counts, number = Counter[str](), walks(5)
    for seed in range(FIRST, FIRST + number):
        with undone():
            counts += walk(seed)
    assert sum(counts[reason] for reason in InvoiceReason.values) > number, "The walks have hardly written documents"
    print(f"{number} walks from seed {FIRST}: {dict(counts)}")  # noqa: T201 - figures of long runs
