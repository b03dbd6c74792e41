"""The form field of what a rule is about."""

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from catalog.rule_attributes import Kinds


class RuleAttribute(forms.ChoiceField):
    """One of the attributes that can hold."""

    def __init__(self, kinds: Kinds, **kwargs: object) -> None:
        choices = [("", "—"), *((name, name) for name in kinds)]
        super().__init__(choices=choices, widget=UnfoldAdminSelectWidget(attrs={"style": "min-width: 14rem"}), **kwargs)
        self.kinds = kinds

    def keep(self, stored: str) -> None:
        """Offer another one that the rule has already, from a time when any text was taken."""
        if stored not in self.kinds:
            self.choices = [*self.choices, (stored, f"{stored} (never holds)")]
