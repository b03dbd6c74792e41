"""The catalogue's routes below /store."""

from catalog.api import viewsets
from commerce.kit.api.routes import reading

urlpatterns = [
    *reading("product-categories", viewsets.ProductCategories),
    *reading("products", viewsets.Products),
    *reading("product-variants", viewsets.ProductVariants),
    *reading("collections", viewsets.Collections),
    *reading("product-types", viewsets.ProductTypes),
    *reading("product-tags", viewsets.ProductTags),
    *reading("product-options", viewsets.ProductOptions),
]
