"""The filters of the list of shipping options."""

from commerce.kit.core.filtering import ResourceFilterSet
from commerce.kit.core.filters import FlagFilter, OneTextFilter


class ShippingOptionFilters(ResourceFilterSet):
    """cart_id: the cart that the options are for. is_return: options for returns, instead of those for delivery."""

    cart_id = OneTextFilter(is_required=True)
    is_return = FlagFilter()
