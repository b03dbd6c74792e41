"""What a list of shipping options takes."""

from commerce.kit.core.filtering import ResourceFilterSet
from commerce.kit.core.filters import FlagFilter, OneTextFilter


class ShippingOptionFilters(ResourceFilterSet):
    """cart_id: whose options. is_return: those that can be used for returns; else those for delivery."""

    cart_id = OneTextFilter(is_required=True)
    is_return = FlagFilter()
