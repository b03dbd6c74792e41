"""The screens of variants."""

from django.contrib import admin

from catalog.models import ProductVariant
from commerce.admin.kept_admin import KeptAdmin
from commerce.admin.sections import Section


@admin.register(ProductVariant)
class ProductVariantAdmin(KeptAdmin):
    """What is sold."""

    section = Section.CATALOGUE
    icon = "style"
    search_fields = ("title", "sku")
