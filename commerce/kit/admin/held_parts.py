"""Parts of a row that another one has: the prices of a variant stand in its price set."""

from typing import Any, ClassVar

from django.db.models import Model

from commerce.kit.admin.part_inline import PartFormSet, PartInline
from commerce.kit.admin.soft_deletion_form import SoftDeletionForm
from commerce.kit.core.soft_deletion import is_stored


class HeldFormSet(PartFormSet):
    """The parts of what the owner has; where it has none yet, one is made with the first part."""

    instance: Any

    def __init__(self, *args: object, instance: Any = None, **kwargs: object) -> None:
        self.owner = instance
        super().__init__(*args, instance=self.holder_of(instance), **kwargs)

    def holder_of(self, owner: Any) -> Model:
        """What the owner has, or a new one."""
        raise NotImplementedError

    def keep_holder(self) -> None:
        """Write the new one and let the owner have it."""
        raise NotImplementedError

    def saved_with(self) -> Model:
        owner: Model = self.owner
        return owner

    def save_new(self, form: SoftDeletionForm, commit: bool = True) -> Model:
        if not is_stored(self.instance):
            self.keep_holder()
        return super().save_new(form, commit)


class HeldInline(PartInline):
    """holder: the model between the form's row and its parts."""

    holder: ClassVar[type[Model]]
    formset = HeldFormSet

    def __init__(self, parent_model: type[Model], admin_site: object) -> None:
        super().__init__(self.holder, admin_site)
