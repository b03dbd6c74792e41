"""Forms in which stock is entered as a number and booked as a difference."""

from typing import Any, ClassVar

from django.http import HttpRequest

from catalog.stock.stock_movements import MOST_STOCKED
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.history.conflicts import UNKNOWN, was_saved_before


class DifferenceForm(SoftDeletionForm):
    """by_difference: the fields of stock.

    Stock changes while a page is open, so an entered quantity counts as a difference from the one that the page showed:
    12 in place of 10 adds two to the current stock. If the page was saved before, that difference is booked already, so
    the quantity then counts from the current stock, and is shown beside it before it is saved. So it does if a script
    leaves out what the page showed.
    """

    by_difference: ClassVar[tuple[str, ...]] = ()
    shown_to: ClassVar[HttpRequest]

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._unknown = set[str]()
        for name in self.by_difference:
            if name in self.fields and not self.is_new and not self.fields[name].disabled:
                self.fields[name].show_hidden_initial = True
                if self.is_bound and self.add_initial_prefix(name) not in self.data:
                    self._unknown.add(name)
                if self._is_repeated or name in self._unknown:
                    self._count_from_stored(name)

    def _count_from_stored(self, name: str) -> None:
        """Replace the quantity that the page showed."""
        submitted: Any = self.data
        self.data = submitted = submitted.copy()
        stored = self.initial.get(name)
        submitted[self.add_initial_prefix(name)] = "" if stored is None else str(stored)

    @property
    def _is_repeated(self) -> bool:
        return self.is_bound and not self.is_new and was_saved_before(self.shown_to)

    def _stored(self, name: str) -> int:
        return self.initial.get(name) or 0

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        for name in self.by_difference:
            if name in self.changed_data and self.cleaned_data.get(name) is not None:
                if not self.is_new:
                    self._move(name)
                if self.cleaned_data[name] > MOST_STOCKED:
                    self.add_error(name, f"A location can stock at most {MOST_STOCKED}.")
                if name in self._unknown:
                    self.add_error(name, UNKNOWN)
                elif self._is_repeated:
                    self.add_error(name, f"Current value: {self._stored(name)}.")
        return cleaned

    def _move(self, name: str) -> None:
        """Turn the entered quantity into the one to store."""
        stored = self._stored(name)
        shown = self.data.get(self.add_initial_prefix(name))
        difference = self.cleaned_data[name] - (self.fields[name].to_python(shown) or 0)
        moved = stored + difference
        if moved < 0 and difference < 0:
            self.add_error(name, f"Only {stored} are left: {-difference} cannot be removed.")
        self.cleaned_data[name] = moved

    def difference(self, name: str) -> int:
        """What a valid form adds to the stock."""
        return (self.cleaned_data[name] or 0) - (0 if self.is_new else self._stored(name))
