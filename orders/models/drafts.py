"""Draft orders: carts that staff keep, until an order is made of them."""

from typing import Self

from django.db import models

from carts.models import Cart
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet


class DraftQuerySet(ResourceQuerySet):
    """Drafts that an actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """All for those who may manage drafts."""
        rows = self if with_deleted else self.not_deleted()
        return rows if actor.may("carts.manage_draft") else rows.none()


class DraftManager(models.Manager.from_queryset(DraftQuerySet)):  # type: ignore[misc]  # made by a call
    """The carts that are drafts, and of which no order was made yet."""

    def get_queryset(self) -> DraftQuerySet:
        drafts: DraftQuerySet = super().get_queryset().filter(is_draft=True, completed_at=None)
        return drafts


class DraftOrder(Cart):
    """A draft order."""

    objects = DraftManager()  # type: ignore[misc]  # the proxy's own rows

    class Meta:
        proxy = True
        default_permissions = ()

    def __str__(self) -> str:
        return f"D-{self.draft_number}"
