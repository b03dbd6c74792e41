"""The name of the shop."""

from shop.models import Store


def store_name() -> str:
    """The store's name, as staff have set it."""
    return Store.objects.values_list("name", flat=True).get()
