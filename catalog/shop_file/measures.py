"""Measures and customs codes in the shop file: of products and of variants."""

from collections.abc import Mapping

from catalog.category_details import LONGEST
from commerce.core.shop_file_values import Number, Text, Value

MEASURES: Mapping[str, Value] = {
    **{name: Number(nullable=True) for name in ("width", "weight", "length", "height")},
    **{name: Text(nullable=True, longest=LONGEST) for name in ("origin_country", "hs_code", "mid_code", "material")},
}
"""The fields of `Measures`."""
