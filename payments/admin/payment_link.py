"""The link from a cart to its payments."""

from django.http import HttpRequest

from kit.admin.lists.row_link import may_open, row_link
from kit.values.written_amounts import written
from payments.models import PaymentCollection


def payment_link(request: HttpRequest, cart_id: str) -> str | None:
    """See carts/admin/payment_links.py. One statement."""
    collection = PaymentCollection.objects.not_deleted().filter(cart=cart_id).first()
    if collection is None:
        return None
    name = f"{written(collection.amount, collection.currency_id)}, {collection.get_status_display().lower()}"
    is_linked = may_open(request, PaymentCollection, collection)
    return row_link("payments_paymentcollection_change", collection.pk, name) if is_linked else name
