"""The addresses below a customer's form."""

from typing import Any

from unfold.admin import StackedInline

from commerce.kit.admin.part_inline import PartFormSet, PartInline
from commerce.kit.core.errors import InvalidData
from customers.address_details import checked_address
from customers.admin.line_form import ONE_LINE, LineForm
from customers.default_addresses import FLAGS, clear_defaults, default_addresses
from customers.models import CustomerAddress


class AddressForm(LineForm):
    """Accepts country and province in any spelling that the verbs accept."""

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean() or self.cleaned_data
        if {"country_code", "province"} & self.errors.keys():
            return cleaned
        given = {name: cleaned.get(name) for name in ("country_code", "province")}
        try:
            return {**cleaned, **checked_address(given, of=self.instance)}
        except InvalidData as refusal:
            self.add_refusal("province" if "'province'" in refusal.message else "country_code", refusal)
            return cleaned

    def write_row(self) -> None:
        """A new default replaces the customer's previous default."""
        others = [holder for holder in default_addresses(self.instance.customer_id) if holder.id != self.instance.pk]
        clear_defaults([flag for flag in FLAGS if self.cleaned_data.get(flag)], holders=others)
        super().write_row()


class AddressFormSet(PartFormSet):
    """At most one of them is the default for shipping, and one for billing."""

    def clean(self) -> None:
        super().clean()
        for flag in FLAGS:
            flagged = [form for form in self.remaining if form.cleaned_data.get(flag)]
            for form in flagged[1:]:
                form.add_error(flag, "Another address is already the default.")

    def delete_existing(self, obj: Any, commit: bool = True) -> None:
        """Deletes permanently, as customers do."""
        if commit:
            obj.delete()


class AddressInline(PartInline):
    """The customer's addresses."""

    model = CustomerAddress
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
