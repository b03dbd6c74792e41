"""The addresses below a customer's form."""

from typing import Any

from django.http import HttpRequest
from unfold.admin import StackedInline

from customers.address_details import checked_address
from customers.address_editing import VERBS
from customers.admin.line_form import ONE_LINE, LineForm
from customers.default_addresses import FLAGS
from customers.models import Customer, CustomerAddress
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.errors import InvalidData
from kit.values.places import province_to_edit
from shop.admin.country_choices import CountryField, sold_and_other_countries


class AddressForm(LineForm):
    """Accepts country and province in any spelling that the verbs accept."""

    country_code = CountryField(label="Country")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_new:
            self.initial["province"] = province_to_edit(self.instance.province)

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean() or self.cleaned_data
        if {"country_code", "province"} & self.errors.keys():
            return cleaned
        given = {name: cleaned.get(name) for name in ("country_code", "province")}
        try:
            return {**cleaned, **checked_address(given, of=self.instance)}
        except InvalidData as refusal:
            self.add_refusal("country_code", refusal)
            return cleaned


class AddressFormSet(PartFormSet):
    """At most one of them is the default for shipping, and one for billing."""

    def clean(self) -> None:
        super().clean()
        for flag in FLAGS:
            flagged = [form for form in self.remaining if form.cleaned_data.get(flag)]
            for form in flagged[1:]:
                form.add_error(flag, "Another address is already the default.")


class AddressInline(PartInline):
    """The customer's addresses."""

    model = CustomerAddress
    verbs = VERBS
    form = AddressForm
    formset = AddressFormSet
    template = StackedInline.template
    formfield_overrides = ONE_LINE
    hide_title = False
    verbose_name_plural = "Addresses"
    fields = (
        ("address_name", "company"),
        ("first_name", "last_name"),
        ("address_1", "address_2"),
        ("postal_code", "city"),
        ("province", "country_code"),
        "phone",
        ("is_default_shipping", "is_default_billing"),
    )

    def get_formset(self, request: HttpRequest, obj: Customer | None = None, **kwargs: Any) -> Any:
        """Reads once which countries come first."""
        formset = super().get_formset(request, obj, **kwargs)
        sold, _ = sold_and_other_countries()
        formset.form.base_fields["country_code"].widget.first = tuple(code for code, _ in sold)
        return formset
