"""The base of forms that write the orders of some days into a file."""

from typing import Any

from kit.admin.forms.csv_fields import CsvFields


class DaysForm(CsvFields):
    """Subclasses have the fields `since` and `until`, which is not before it."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", "This day is before the first day.")
        return cleaned
