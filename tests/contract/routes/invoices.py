"""Invoices and credit notes."""

from collections.abc import Callable

from kit.domain.actor import SYSTEM
from orders.invoices import issuing
from orders.invoices.printing.files import keep
from orders.models import Invoice, Order
from tests.contract.routes.examples import Example
from tests.factories.invoices import document
from tests.orders.invoices.shop import sells
from tests.orders.placed import placed


def _sold() -> Order:
    sells()
    return placed()


def _issued() -> Invoice:
    return Invoice.objects.get(pk=issuing.issue(actor=SYSTEM, order_id=_sold().pk))


def _of_order(suffix: str = "", area: str = "store") -> Callable[[], str]:
    def path() -> str:
        made = document(placed())
        return f"/{area}/orders/{made.order_id}/invoices{suffix.format(id=made.pk)}"

    return path


def _pdf_path() -> str:
    made = document(placed())
    keep(made, b"%PDF-1.7")
    return f"/admin/invoices/{made.pk}/pdf"


def _list_path() -> str:
    """There is one."""
    document(placed())
    return "/admin/invoices"


EXAMPLES = {
    "/store/orders/<str:id>/invoices": Example(_of_order()),
    "/store/orders/<str:id>/invoices/<str:invoice_id>": Example(_of_order("/{id}")),
    "/admin/invoices": Example(_list_path),
    "/admin/invoices/<str:id>": Example(lambda: f"/admin/invoices/{document(placed()).pk}"),
    "/admin/invoices/<str:id>/pdf": Example(_pdf_path),
    "/admin/invoices/<str:id>/correct": Example(lambda: f"/admin/invoices/{_issued().pk}/correct"),
    "/admin/orders/<str:id>/invoices": Example(lambda: f"/admin/orders/{_sold().pk}/invoices"),
}
