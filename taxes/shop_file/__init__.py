"""The shop file's section of tax regions."""

from taxes.shop_file.tax_regions import TaxRegions

__all__ = ["TaxRegions"]
