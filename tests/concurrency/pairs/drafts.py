"""A draft, another one with an open change, and the verbs about both."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from carts.details.line_replacement import WantedLine
from carts.models import Cart, Promotion
from catalog.models import ProductVariant
from customers.models import Customer
from kit.domain.actor import Actor
from orders.drafts import conversion, creation, details, editing, items, lifecycle
from orders.drafts.items import DraftItem, DraftLineChange
from orders.drafts.methods import DraftMethod
from tests.factories.carts import PromotionFactory, default_region
from tests.factories.checkout import ADDRESS
from tests.factories.fulfillment import option

CODE = "OFTEN"


class Drafts(NamedTuple):
    """The ids of the draft, of its line, and of the draft that is being changed."""

    draft_id: str = "cart_none"
    line_id: str = "cali_none"
    changed_id: str = "cart_none"


def drafted(staff: Actor, buyer: Customer, variants: Sequence[ProductVariant]) -> Drafts:
    """Both are the buyer's and have a code of which two uses are left; the change adds units of both variants."""
    if not Promotion.objects.filter(code=CODE).exists():
        PromotionFactory(code=CODE, usage_limit=2)
    draft_id, changed_id = (_new(staff, buyer, variants) for _ in range(2))
    lifecycle.begin(actor=staff, draft_id=changed_id)
    added = [DraftItem(1, variant_id=variant.pk) for variant in reversed(variants)]
    items.add(actor=staff, draft_id=changed_id, items=added)
    line = Cart.objects.get(pk=draft_id).items.order_by("pk")[0]
    return Drafts(draft_id, line.pk, changed_id)


def _new(staff: Actor, buyer: Customer, variants: Sequence[ProductVariant]) -> str:
    return creation.create(
        actor=staff,
        region_id=default_region().pk,
        customer_id=buyer.pk,
        shipping_address=dict(ADDRESS),
        items=[WantedLine(1, variant_id=variant.pk) for variant in reversed(variants)],
        shipping_methods=[DraftMethod(option(5).pk)],
        promo_codes=[CODE],
    )


def _edit(staff: Actor, at: Drafts) -> None:
    changed = [DraftLineChange(at.line_id, 2)]
    editing.edit(actor=staff, draft_id=at.draft_id, changed_items=changed, removed_promo_codes=[CODE])


VERBS: Mapping[str, Callable[[Actor, Drafts], object]] = {
    "convert a draft": lambda staff, at: conversion.convert(actor=staff, draft_id=at.draft_id),
    "change a draft": _edit,
    "change a draft's details": lambda staff, at: details.change(
        actor=staff, draft_id=at.draft_id, email="b@example.com", metadata={"a": 1}
    ),
    "begin to change a draft": lambda staff, at: lifecycle.begin(actor=staff, draft_id=at.draft_id),
    "delete a draft": lambda staff, at: creation.delete(actor=staff, draft_id=at.draft_id),
    "confirm a draft's change": lambda staff, at: lifecycle.confirm(actor=staff, draft_id=at.changed_id),
    "cancel a draft's change": lambda staff, at: lifecycle.cancel(actor=staff, draft_id=at.changed_id),
}
"""Each gets who acts and the ids above."""
