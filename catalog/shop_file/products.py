"""The shop file's products, each with its images, options, variants, prices and stock."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from catalog import former_handles, search
from catalog.handles import normalized_if_possible
from catalog.models import Product, ProductCategory, ProductCollection, ProductTag, ProductType
from catalog.models.former_handles import FORMER
from catalog.products.product_editing.details import VERBS, remember_handles
from catalog.shop_file.dumped_products import dumped_products
from catalog.shop_file.handles import FORMER_HANDLES, HANDLE, FormerHandles, TitledRows
from catalog.shop_file.images import ImageList, PictureAddress
from catalog.shop_file.options import OPTION
from catalog.shop_file.part_rows import Images
from catalog.shop_file.variants import VARIANT, Variants
from kit.editing.children import Key
from kit.shop_file.problems import Problems
from kit.shop_file.references import Named, NamesOf, Target
from kit.shop_file.row_fields import row_fields
from kit.shop_file.sections import Placed
from kit.shop_file.values import Entry, Objects
from kit.values.json import JSONObject
from shop.models import StockLocation
from shop.shop_file.targets import CHANNELS, SHIPPING_PROFILES

SKUS = "products.variants"
"""The key under which the skus of refused products are remembered."""
_PARTS = (FORMER, "images", "options", "variants")


COLLECTIONS = Target(ProductCollection, "handle", "product_collections", normalized_if_possible)
CATEGORIES = Target(ProductCategory, "handle", "product_categories", normalized_if_possible)
TYPES = Target(ProductType, "value", "product_types")


class Products(TitledRows[Product]):
    """Every product that is not deleted.

    A given list replaces the stored one: images, options, tags, categories, channels and prices of variants that it
    leaves out are removed. Only variants that it leaves out are kept, since carts refer to them.
    """

    key = "products"
    prefix = "prod"
    model = Product
    fields = row_fields(
        VERBS,
        handle=HANDLE,
        thumbnail=PictureAddress(nullable=True),
        type=Named(target=TYPES, nullable=True),
        collection=Named(target=COLLECTIONS, nullable=True),
        tags=NamesOf(target=Target(ProductTag, "value", "product_tags")),
        categories=NamesOf(target=CATEGORIES),
        sales_channels=NamesOf(target=CHANNELS),
        shipping_profile=Named(target=SHIPPING_PROFILES, nullable=True),
        former_handles=FORMER_HANDLES,
        images=ImageList(),
        options=Objects(fields=OPTION),
        variants=Objects(fields=VARIANT, partial=True),
    )

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._changed: list[str] = []

    def values(self, entry: Entry, row: Product | None) -> dict[str, object]:
        values = super().values(entry, row)
        return {name: value for name, value in values.items() if name not in _PARTS}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        with search.paused():
            super().load_batch(entries)
        search.refresh(self._changed)
        for entry in (entry for entry in entries if not entry.is_sound):
            for variant in entry.given.get("variants", ()):
                self.problems.mark_invalid(SKUS, variant.given.get("sku"))

    def load_parts(self, placed: Sequence[Placed[Product]]) -> None:
        super().load_parts(placed)
        images = Images([one.row.pk for one in placed if not one.is_new])
        variants = Variants(placed, self._locations, self.problems)
        given = {one.row: one.entry.given for one in placed}
        former = former_handles.replace({row: each[FORMER] for row, each in given.items() if FORMER in each})
        remember_handles(given, self.replaced)
        for one in placed:
            one.is_changed |= one.row.pk in former
            if "images" in one.entry.given:
                one.is_changed |= images.replace(one.row.pk, self._images(one.entry))
            one.is_changed |= variants.put(one)
        images.write()
        variants.write()
        self._changed = [one.row.pk for one in placed if one.is_new or one.is_changed]

    @cached_property
    def _locations(self) -> list[str]:
        """The ids of all stock locations, including those of the same file, which are loaded earlier."""
        return list(StockLocation.objects.not_deleted().order_by("pk").values_list("pk", flat=True))

    def _images(self, entry: Entry) -> dict[Key, dict[str, object]]:
        wanted: dict[Key, dict[str, object]] = {}
        for rank, image in enumerate(entry.given["images"]):
            url = image.given["url"]
            if (url,) in wanted:
                self.problems.add(f"{entry.path}.images[{rank}]", f"'{url}' is repeated")
            wanted[url,] = {"rank": rank, **{name: value for name, value in image.given.items() if name != "url"}}
        return wanted

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        other = (Named, NamesOf, FormerHandles, ImageList, Objects)
        return dumped_products([name for name, value in cls.fields.items() if not isinstance(value, other)])
