"""Answers with a cart."""

from carts.api.serializers.carts import CartSerializer
from kit.rest.responses.answers import DeletedSerializer


class DeletedLineItemSerializer(DeletedSerializer):
    """The line that was removed, and the cart without it."""

    parent = CartSerializer()
