"""The section about taxes on the pages of customers and customer groups."""

from typing import Any

from unfold.widgets import UnfoldAdminSelect2MultipleWidget

from customers.tax_exemption import EXEMPTION
from kit.admin.forms.moment_fields import DayField
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from shop.admin.country_choices import grouped_countries
from shop.models import Country


class TaxExemptionForm(SoftDeletionForm):
    """Offers countries by name."""

    tax_exempt_countries = RowChoices(
        Country.objects.order_by("display_name"),
        label="Exempt in",
        required=False,
        widget=UnfoldAdminSelect2MultipleWidget,
        help_text="Type to find a country. Leave empty for all countries.",
    )
    tax_exempt_until = DayField(
        label="Exempt until", required=False, help_text="The last day of the exemption. Leave empty if it does not end."
    )

    class Meta:
        labels = {"is_tax_exempt": "Exempt from taxes"}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if "tax_exempt_countries" in self.fields:
            self.fields["tax_exempt_countries"].choices = grouped_countries()[1:]  # type: ignore[attr-defined]

    def clean_tax_exempt_countries(self) -> list[str] | None:
        return sorted(country.pk for country in self.cleaned_data["tax_exempt_countries"]) or None


def tax_section(*fields: str) -> tuple[str, dict[str, Any]]:
    """A closed section. fields: those before the exemption."""
    return "Taxes", {"fields": (*fields, *EXEMPTION), "classes": ("collapse",)}
