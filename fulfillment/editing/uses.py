"""What keeps stock locations, shipping profiles and types of shipping options from being deleted."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from catalog.models import InventoryLevel, Product
from fulfillment.models import FulfillmentSet, ShippingOption
from kit.domain.base_model import BaseModel
from kit.editing.uses import require_unused_by
from shop.models import StockLocation

_IN_STOCK = ~Q(stocked_quantity=0) | Q(reserved_quantity__gt=0) | Q(incoming_quantity__gt=0)


def require_unused_logistics(model: type[BaseModel], rows: Sequence[Any]) -> None:
    """Raise RowInUse for a location with stock, reservations or fulfillment sets, and for a profile with goods."""
    if model is StockLocation:
        levels = InventoryLevel.objects.not_deleted().filter(_IN_STOCK).select_related("inventory_item", "location")
        require_unused_by(rows, levels, "location")
        require_unused_by(rows, FulfillmentSet.objects.not_deleted(), "location")
    else:
        require_unused_by(rows, Product.objects.not_deleted(), "shipping_profile")
        require_unused_by(rows, ShippingOption.objects.not_deleted(), "shipping_profile")


def require_unused_types(rows: Sequence[Any]) -> None:
    """Raise RowInUse for a type that a shipping option has."""
    require_unused_by(rows, ShippingOption.objects.not_deleted(), "type")
