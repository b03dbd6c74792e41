"""What a fulfillment provider receives about a fulfillment."""

from fulfillment.models import ShippingOption
from fulfillment.providers.base import FulfillmentDetails, ItemDetails
from orders.models import Fulfillment
from shop.models.addresses import ADDRESS_TEXTS


def provider_details(fulfillment: Fulfillment) -> FulfillmentDetails:
    """The fulfillment's items and delivery address. Two statements if the order and the address are loaded."""
    items = fulfillment.items.order_by("pk").values_list("title", "sku", "quantity")
    option = ShippingOption.objects.filter(pk=fulfillment.shipping_option_id).values_list("data", flat=True).first()
    address = fulfillment.delivery_address
    texts = {name: getattr(address, name) for name in ADDRESS_TEXTS} if address is not None else {}
    return FulfillmentDetails(
        fulfillment.pk,
        str(fulfillment.order),
        fulfillment.location_id,
        {name: value for name, value in texts.items() if value},
        fulfillment.order.email,
        [ItemDetails(*item) for item in items],
        option or {},
        fulfillment.data,
    )
