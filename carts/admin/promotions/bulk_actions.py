"""What staff do with the selected promotions."""

from django.http import HttpRequest

from carts.models import Promotion
from carts.promotions import copies
from carts.promotions.promotion_editing import VERBS
from carts.states import PromotionStatus
from kit.admin.actions.bulk_action import bulk_action
from kit.admin.request_actor import request_actor
from kit.admin.screens.soft_deletion_admin import SoftDeletionAdmin
from kit.admin.screens.verb_admin import RESTORABLE


class PromotionActions(SoftDeletionAdmin[Promotion]):
    """Activate, deactivate and copy."""

    verbs = VERBS
    actions = ("activate_selected", "deactivate_selected", "copy_selected", *RESTORABLE)

    def activate(self, request: HttpRequest, row: Promotion) -> None:
        VERBS.update(actor=request_actor(request), id=row.pk, status=PromotionStatus.ACTIVE)

    def deactivate(self, request: HttpRequest, row: Promotion) -> None:
        VERBS.update(actor=request_actor(request), id=row.pk, status=PromotionStatus.INACTIVE)

    def copy(self, request: HttpRequest, row: Promotion) -> str:
        made = copies.copy(actor=request_actor(request), promotion_id=row.pk)
        self.log_addition(request, made, f"Copied from {row.code}.")
        return f"Copied as {made.code}."

    activate_selected = bulk_action(
        "activate",
        name="activate_selected",
        description="Activate selected promotions",
        question="Activate the selected promotions?",
        participle="activated",
        note="They apply immediately, or from their start.",
        button="Activate",
    )
    deactivate_selected = bulk_action(
        "deactivate",
        name="deactivate_selected",
        description="Deactivate selected promotions",
        question="Deactivate the selected promotions?",
        participle="deactivated",
        note="Open carts lose them with their next change.",
        button="Deactivate",
    )
    copy_selected = bulk_action(
        "copy",
        name="copy_selected",
        description="Copy selected promotions",
        question="Copy the selected promotions?",
        participle="copied",
        note="Each copy is a draft with the same terms and conditions, without uses and batches of codes. Change its "
        "code before you activate it.",
        button="Copy",
        permission="add",
    )
