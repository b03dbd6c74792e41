"""The form field of what a rule is about."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.rule_attributes import Kinds
from commerce.admin.kept_form import KeptForm


class RuleAttribute(forms.ChoiceField):
    """One of the attributes that can hold."""

    def __init__(self, kinds: Kinds, **kwargs: Any) -> None:
        choices = [("", "—"), *((name, name) for name in kinds)]
        super().__init__(choices=choices, widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 14rem"}), **kwargs)
        self.kinds = kinds

    def keep(self, stored: str) -> None:
        """Offer another one that the rule has already, from a time when any text was taken."""
        if stored not in self.kinds:
            offered: Any = self.choices
            self.choices = [*offered, (stored, f"{stored} (never holds)")]


class RuleAttributeForm(KeptForm):
    """A form of rules, with such a field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["attribute"]
        if not self.is_new:
            field.keep(self.instance.attribute)
