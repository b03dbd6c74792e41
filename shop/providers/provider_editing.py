"""Payment and fulfillment providers, as staff register, enable and disable them."""

from kit.editing.verbs import RowVerbs
from shop.models import FulfillmentProvider, PaymentProvider

PAYMENT_PROVIDERS = RowVerbs(PaymentProvider, ("is_enabled",))
FULFILLMENT_PROVIDERS = RowVerbs(FulfillmentProvider, ("is_enabled",))
