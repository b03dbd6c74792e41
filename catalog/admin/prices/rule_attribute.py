"""The form field for the attribute that a rule compares."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.rule_attributes import Kinds, attribute_words
from kit.admin.forms.soft_deletion_form import SoftDeletionForm


class RuleAttribute(forms.ChoiceField):
    """A choice of the known attributes: a rule about any other would never hold."""

    def __init__(self, kinds: Kinds, **kwargs: Any) -> None:
        choices = [("", "—"), *((name, attribute_words(name)) for name in kinds)]
        super().__init__(choices=choices, widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 14rem"}), **kwargs)
        self.kinds = kinds

    def keep(self, stored: str) -> None:
        """Also offer the rule's stored attribute, which may be an unknown one from before attributes were checked."""
        if stored not in self.kinds:
            offered: Any = self.choices
            self.choices = [*offered, (stored, f"{stored} (never holds)")]


class RuleAttributeForm(SoftDeletionForm):
    """The form of a rule."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["attribute"]
        if not self.is_new:
            field.keep(self.instance.attribute)
