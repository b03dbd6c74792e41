"""The fields of an address, apart from its country."""

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from kit.values import text
from kit.values.places import province_to_edit
from shop.models.addresses import PostalAddress

ADDRESS_FIELDS = (
    *("first_name", "last_name", "company", "phone"),
    *("address_1", "address_2", "postal_code", "city", "province"),
)
_LABELS = {"address_1": "Street", "address_2": "Street, second line", "phone": "Phone"}


def add_address_fields(form: forms.Form, prefix: str, *, of: PostalAddress | None = None) -> None:
    """Add a field for each text of an address, with the texts of that address, if any."""
    for name in ADDRESS_FIELDS:
        initial = getattr(of, name, None)
        form.fields[f"{prefix}{name}"] = forms.CharField(
            label=_LABELS.get(name, name.replace("_", " ").capitalize()),
            required=False,
            max_length=text.LONGEST,
            initial=province_to_edit(initial) if name == "province" else initial,
            widget=UnfoldAdminTextInputWidget,
        )


def require_address(form: forms.Form, prefix: str) -> None:
    """Refuse an address that nobody can deliver to. Call it in `clean`."""
    given = {name: form.cleaned_data.get(f"{prefix}{name}") for name in ADDRESS_FIELDS}
    for name in ("address_1", "city"):
        if not given[name] and f"{prefix}{name}" not in form.errors:
            form.add_error(f"{prefix}{name}", "This field is required.")
    if not any(given[name] or f"{prefix}{name}" in form.errors for name in ("first_name", "last_name", "company")):
        form.add_error(f"{prefix}first_name", "Enter a name or a company.")
