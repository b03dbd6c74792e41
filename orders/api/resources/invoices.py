"""The resources of invoices and credit notes, for REST and GraphQL."""

from kit.reads.resources import Resource
from orders.api.filters import InvoiceFilters
from orders.api.serializers.invoices import AdminInvoiceSerializer, InvoiceSerializer

INVOICES = Resource(
    name="invoice",
    plural="invoices",
    serializer_class=InvoiceSerializer,
    filterset_class=InvoiceFilters,
    default_limit=50,
    default_order="issued_at",
)
ADMIN_INVOICES = Resource(
    name="invoice",
    plural="invoices",
    serializer_class=AdminInvoiceSerializer,
    filterset_class=InvoiceFilters,
    default_limit=50,
    defaults="+seller,+buyer,+paid_by,+pdf_created_at,*lines,*taxes",
    list_defaults="",
    default_order="-issued_at",
)
