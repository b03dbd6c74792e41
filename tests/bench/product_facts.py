"""What the requests of the cases name of a shop's products."""

from typing import Any

from django.db.models import Count

from apikeys.models import ApiKey
from catalog.models import Price, Product, ProductCategory, ProductCollection, ProductVariant
from kit.domain.actor import Actor
from shop.models import Region, Store


def product_facts(key: ApiKey) -> dict[str, Any]:
    """Of the products that the key shows, the one in the middle and its likes."""
    channels = list(key.sales_channels.values_list("pk", flat=True))
    channels = channels or [Store.objects.get().default_sales_channel_id]
    shown = Product.objects.visible_to(Actor(type="anonymous", sales_channel_ids=tuple(channels))).order_by("id")
    count = shown.count()
    middle = shown[count // 2]
    words = middle.title.lower().split()
    return {
        "count": count,
        "deep_offset": count * 9 // 10,
        "id": middle.pk,
        "handle": middle.handle,
        "word": max(words, key=len),
        "words": " ".join(words[:2]),
        "sku": ProductVariant.objects.filter(product=middle).order_by("id").values_list("sku", flat=True)[0],
        "category_id": _busiest(ProductCategory),
        "collection_id": _busiest(ProductCollection),
        "region_id": _region(),
    }


def _busiest(model: Any) -> str:
    """Of the ones with products, that of the most; later ids win."""
    return str(model.objects.annotate(many=Count("products")).order_by("-many", "-id")[0].pk)


def _region() -> str:
    """The store's default region, else one in whose currency most prices are."""
    store = Store.objects.get()
    if store.default_region_id:
        return str(store.default_region_id)
    currencies = Price.objects.values_list("currency_id").annotate(many=Count("pk")).order_by("-many", "currency_id")
    return str(Region.objects.filter(currency_id=currencies[0][0]).order_by("id")[0].pk)
