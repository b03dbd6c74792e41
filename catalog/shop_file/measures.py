"""Measures and customs codes in the shop file: of products and of variants."""

from collections.abc import Mapping

from catalog.products.product_details import CUSTOMS, MEASURES
from kit.shop_file.values import Number, Text, Value
from kit.values.text import LONGEST

MEASURED: Mapping[str, Value] = {
    **{name: Number(nullable=True) for name in MEASURES},
    **{name: Text(nullable=True, longest=LONGEST) for name in CUSTOMS},
}
"""The fields of the model `Measures`."""
