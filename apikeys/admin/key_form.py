"""The form of API keys."""

from typing import Any, ClassVar, cast

from django import forms
from django.db.models import Model
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminSelect2MultipleWidget

from apikeys.admin.permission_choices import permission_choices
from apikeys.states import KeyType
from kit.admin.forms.row_choices import offer_not_deleted
from kit.admin.forms.verb_form import VerbForm
from staff.models import User


class KeyForm(VerbForm):
    """The title and channels of a key, and the type and permissions of a new one, which cannot be changed later.

    creator: the user of the request, which ApiKeyAdmin sets on the form class of the request.
    """

    creator: ClassVar[User | None] = None
    type = forms.ChoiceField(
        choices=KeyType.choices,
        initial=KeyType.PUBLISHABLE,
        widget=UnfoldAdminRadioSelectWidget,
        help_text="Publishable keys are for storefronts. Secret keys let a program act with your permissions.",
    )
    permissions = forms.MultipleChoiceField(
        required=False,
        widget=UnfoldAdminSelect2MultipleWidget,
        help_text="Limits a secret key to these permissions. If you choose none, it has all of yours.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "permissions" in self.fields and self.creator is not None:
            offered = cast("forms.MultipleChoiceField", self.fields["permissions"])
            offered.choices = permission_choices(self.creator)
        if "sales_channels" in self.fields:
            channels = cast("forms.ModelMultipleChoiceField[Model]", self.fields["sales_channels"])
            offer_not_deleted(channels, chosen=self.initial.get("sales_channels"))
            channels.help_text = "The channels of a publishable key. Without any, the default channel."
