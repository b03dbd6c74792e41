"""Measures and customs codes in the shop file: of products and of variants."""

from collections.abc import Mapping

from catalog.product_details import CUSTOMS, MEASURES
from commerce.kit.core.text import LONGEST
from commerce.kit.shop_file.values import Number, Text, Value

MEASURED: Mapping[str, Value] = {
    **{name: Number(nullable=True) for name in MEASURES},
    **{name: Text(nullable=True, longest=LONGEST) for name in CUSTOMS},
}
"""The fields of the model `Measures`."""
