"""The filters of the list of shipping options."""

from kit.reads.filters.filtering import ResourceFilterSet
from kit.reads.filters.filters import FlagFilter, OneTextFilter


class ShippingOptionFilters(ResourceFilterSet):
    """cart_id: the cart that the options are for. is_return: options for returns, instead of those for delivery."""

    cart_id = OneTextFilter(is_required=True)
    is_return = FlagFilter()
