"""The default region: prices are shown for it if a request names no other."""

from kit.values.timestamps import now
from shop.models import Region, Store


def ensure_default_region() -> None:
    """Make the shop's first region the store's default, if the store has none.

    Why: docs/decisions/catalogue.md#the-first-region-becomes-the-default.
    """
    store_without = Store.objects.filter(default_region=None)
    first = Region.objects.not_deleted().order_by("created_at", "pk").first() if store_without.exists() else None
    if first:
        store_without.update(default_region=first, updated_at=now())
