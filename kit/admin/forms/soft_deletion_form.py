"""The form of rows with soft deletion."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import FieldDoesNotExist, ValidationError

from kit.admin.forms.amount_fields import AmountField
from kit.admin.forms.row_choices import offer_not_deleted
from kit.admin.forms.verb_form import VerbForm
from kit.domain import soft_deletion
from kit.editing.states import State
from kit.errors import DomainError
from kit.values.money import rounded


class SoftDeletionForm(VerbForm):
    """Relations offer rows that are not deleted, and empty text is null if the column is nullable.

    Amounts of a row with a currency are shown with its digits.

    Violated conditional unique constraints are reported at their field: Django skips those whose condition names a
    column outside the form. optional: fields that may be left empty though their columns may not; `clean_…` fills them.
    """

    optional: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        currency_code = getattr(self.instance, "currency_id", None)
        for name, field in self.fields.items():
            field.required = field.required and name not in self.optional
            if isinstance(field, AmountField) and isinstance(self.initial.get(name), Decimal) and currency_code:
                self.initial[name] = rounded(self.initial[name], currency_code)
            elif isinstance(field, forms.ModelChoiceField):
                offer_not_deleted(field, chosen=self.initial.get(name))
            elif isinstance(field, forms.CharField) and self._may_be_null(name):
                field.empty_value = None

    def _may_be_null(self, name: str) -> bool:
        try:
            return bool(self._meta.model._meta.get_field(name).null)
        except FieldDoesNotExist:
            return False

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        for fields in soft_deletion.unique_together(self._meta.model):
            self._refuse_taken(fields)

    def _refuse_taken(self, fields: tuple[str, ...]) -> None:
        shown = [name for name in fields if name in self.fields]
        if not self.is_new and not any(name in self.changed_data for name in shown):
            return  # a stored row has its values
        if shown and not any(name in self.errors for name in shown) and soft_deletion.is_taken(self.instance, fields):
            kind, label = self._meta.model._meta.verbose_name, str(self.fields[shown[-1]].label).lower()
            self.add_error(shown[-1], f"Another {kind} has this {label}.")

    @property
    def is_new(self) -> bool:
        """Whether the form is for a row that is not stored yet."""
        return not soft_deletion.is_stored(self.instance)

    def state(self, kind: type[State], **others: object) -> State:
        """The row state that the form describes: all its fields for a new row, the changed ones for a stored row.

        others: attributes that have no field.
        """
        identity = {} if self.is_new else {"id": self.instance.pk}
        given = self.attributes([*self.fields] if self.is_new else self.changed_data)
        return kind(**{**identity, **given, **others})

    def attributes(self, names: Sequence[str]) -> dict[str, object]:
        """The values of these fields, as the attributes of a RowState. Fields that are no columns are left out."""
        meta = self._meta.model._meta
        columns = {field.name: field.attname for field in meta.concrete_fields if not field.primary_key}
        given: dict[str, object] = {
            columns[name]: getattr(self.instance, columns[name]) for name in names if name in columns
        }
        links = {field.name for field in meta.many_to_many}
        return given | {name: [row.pk for row in self.cleaned_data[name]] for name in names if name in links}

    def add_refusal(self, field: str, refusal: DomainError) -> None:
        """Show the message of a shop rule at the field that it concerns."""
        self.add_error(field, ValidationError(refusal.message, code=refusal.type))
