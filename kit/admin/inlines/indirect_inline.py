"""Inlines of rows that belong to the page's row through another: a variant's prices are those of its price set."""

from typing import Any, ClassVar

from django.db.models import Model

from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.inlines.part_formset import PartFormSet
from kit.admin.inlines.part_inline import PartInline
from kit.domain.soft_deletion import is_stored


class IndirectFormSet(PartFormSet):
    """The owner is the page's row, the holder the one between. A missing holder is created with the first part."""

    instance: Any

    def __init__(self, *args: object, instance: Any = None, **kwargs: object) -> None:
        self.owner = instance
        super().__init__(*args, instance=self.holder_of(instance), **kwargs)

    def holder_of(self, owner: Any) -> Model:
        """The owner's holder, or a new one that is not stored."""
        raise NotImplementedError

    def keep_holder(self) -> None:
        """Store the new holder and give it to the owner."""
        raise NotImplementedError

    def saved_with(self) -> Model:
        owner: Model = self.owner
        return owner

    def save_new(self, form: SoftDeletionForm, commit: bool = True) -> Model:
        if not is_stored(self.instance):
            self.keep_holder()
        return super().save_new(form, commit)


class IndirectInline(PartInline):
    """holder: the model between the page's row and the inline's."""

    holder: ClassVar[type[Model]]
    formset = IndirectFormSet

    def __init__(self, parent_model: type[Model], admin_site: object) -> None:
        super().__init__(self.holder, admin_site)
