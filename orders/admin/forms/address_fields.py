"""The fields of an address. Its country is that of another address of the order."""

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from commerce.kit.core import text
from commerce.kit.core.places import province_name
from orders.models import OrderAddress

ADDRESS_FIELDS = (
    *("first_name", "last_name", "company", "phone"),
    *("address_1", "address_2", "postal_code", "city", "province"),
)
_LABELS = {"address_1": "Street", "address_2": "Street, second line", "phone": "Phone"}


def add_address_fields(form: forms.Form, prefix: str, *, of: OrderAddress | None = None) -> None:
    """Add a field for each text of an address, with the texts of that address, if any."""
    for name in ADDRESS_FIELDS:
        initial = getattr(of, name, None)
        form.fields[f"{prefix}{name}"] = forms.CharField(
            label=_LABELS.get(name, name.replace("_", " ").capitalize()),
            required=False,
            max_length=text.LONGEST,
            initial=province_name(initial) if name == "province" else initial,
            widget=UnfoldAdminTextInputWidget,
        )
