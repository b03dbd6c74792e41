"""The system check of the libraries that invoices as PDFs need."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from orders.invoices.printing.pdf import fault


def check_invoice_pdf(app_configs: Sequence[AppConfig] | None, **options: object) -> list[checks.CheckMessage]:
    """Otherwise each PDF would fail, and emails would wait for it. The shop can serve nevertheless: no error."""
    found = fault() if settings.INVOICE_PDF else ""
    hint = "Install the libraries (Debian: libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0), or unset INVOICE_PDF."
    return [checks.Warning(f"Invoices cannot be made as PDFs: {found}", hint=hint, id="commerce.W010")] if found else []
