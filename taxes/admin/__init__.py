"""The screens of tax regions."""

from taxes.admin import tax_regions

__all__ = ["tax_regions"]
