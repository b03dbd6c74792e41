"""The form of the store, with the data of the seller that invoices state."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.domain.hooks import AdminWired
from kit.values import places
from shop.admin.country_choices import grouped_countries
from shop.models.store import SELLER_TEXTS

SELLER_SAVED = AdminWired[Callable[[HttpRequest], None]]("what waits for the seller's data")
"""Called in the transaction that has saved the store."""
_LONG = ("bank_account", "invoice_footer")

SELLER_SECTION = (
    "Seller on invoices",
    {
        "fields": SELLER_TEXTS,
        "description": "Invoices and credit notes state this. They need the legal name, the address, the city, the "
        "country, and the tax number or the registration number. Until then, documents wait, also those of orders that "
        "were invoiced before. Documents that were issued keep what they state.",
    },
)


class StoreForm(SoftDeletionForm):
    """The store and its seller."""

    country_code = forms.TypedChoiceField(
        label="Country", required=False, empty_value=None, choices=grouped_countries, widget=UnfoldAdminSelectWidget
    )

    class Meta:
        labels = {
            "address_1": "Address",
            "address_2": "Address, second line",
            "invoice_footer": "Footer of invoices",
        }
        help_texts = {
            "legal_name": "As it is registered, with the legal form, such as Teas and more GmbH.",
            "province": "The code or the name, like us-ny, ny or New York.",
            "tax_number": "In Europe the VAT ID, such as DE123456789; else the number under which you pay sales tax.",
            "registration_number": "Of the company, such as HRB 1234, Amtsgericht Hamburg.",
            "bank_account": "Where customers transfer what they owe: bank, IBAN, BIC.",
            "email": "Where customers ask about an invoice.",
            "invoice_footer": "What the law asks of you besides, such as the names of directors.",
        }
        widgets = {name: UnfoldAdminTextInputWidget for name in SELLER_TEXTS if name not in (*_LONG, "country_code")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "province" in self.initial:
            self.initial["province"] = places.province_to_edit(self.initial["province"])
