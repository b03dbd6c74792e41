"""Invoices and credit notes as one printable page of HTML."""

from collections.abc import Iterable

from kit.messages.mails.templates import engine
from orders.invoices.printing.contents import contents
from orders.models import Invoice

_TEMPLATE = "invoice_document.html"


def printable(documents: Iterable[Invoice], *, on_screen: bool = False) -> str:
    """The documents as HTML, each beginning on a new sheet, by the template that shops replace in MAIL_TEMPLATES.

    documents: as `readable` reads them. on_screen: with a button that prints.
    """
    shown = [contents(document) for document in documents]
    return engine(escapes=True).render_to_string(_TEMPLATE, {"documents": shown, "on_screen": on_screen})
