"""Promotions: discounts by code, or automatic ones."""

from typing import Self

from django.db import models
from django.db.models import F, Q

from carts.models.campaigns import Campaign
from carts.states import Allocation, PromotionKind, PromotionStatus, PromotionTarget, PromotionType
from catalog.models import Product
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from shop.models import Currency

_OF_ORDER = Q(target_type=PromotionTarget.ORDER, allocation=None, max_quantity=None)
_OF_ROWS = Q(target_type__in=(PromotionTarget.ITEMS, PromotionTarget.SHIPPING_METHODS)) & (
    Q(allocation=Allocation.EACH)
    | Q(allocation=Allocation.ACROSS, max_quantity=None)
    | Q(allocation=Allocation.ONCE, max_quantity__isnull=False)
)


class PromotionQuerySet(ResourceQuerySet):
    """Promotions. Carts show theirs to shoppers."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """None for staff who may not view promotions: their codes are worth money."""
        rows = self if with_deleted else self.not_deleted()
        return rows.none() if actor.is_trusted and not actor.may("carts.view_promotion") else rows


class Promotion(BaseModel):
    """A discount: value is percent, or an amount in `currency`. Its rules say what it applies to, and when.

    currency: with one, it applies to carts in that currency alone. is_tax_inclusive: whether a fixed amount includes
    tax; False for a percentage.

    allocation: null off the order. max_quantity: with `each`, the discounted units of each line; with `once`, of all
    lines together; of buy X get Y, at most so many units; null for no limit. buy_rules_min_quantity and
    apply_to_quantity: the X and Y of buy X get Y.

    priority: higher ones come first. combines_with_…: whether it applies together with promotions off products, off the
    order, off shipping; with none of them, it applies alone.

    has_codes: whether customers enter one of a batch of codes, and `code` is only its name.

    usage_limit: the number of completed carts that may use it; usage_limit_per_customer: of each customer, and of each
    guest's email address; null for no limit. Uses are counted at completion (carts/promotions/promotion_usage.py).

    saved: by currency, what its uses took off, in 1/10,000 as stated on the lines. Null before the first.

    target and products are what older versions read in place of target_type, allocation and the target rules.
    is_gated: whether it has PromotionGates. carts/promotions/derived.py keeps these three.
    """

    event_name = "promotion"

    id = IdField(prefix="promo")
    code = models.CharField(max_length=255)
    is_automatic = models.BooleanField(default=False)
    has_codes = models.BooleanField(default=False, db_default=False)
    # Of a promotion that an older version creates, staff of this one have to say that it applies.
    status = models.CharField(
        max_length=16,
        choices=PromotionStatus,
        default=PromotionStatus.ACTIVE,
        db_default=PromotionStatus.DRAFT.value,
    )
    kind = models.CharField(
        max_length=16,
        choices=PromotionKind,
        default=PromotionKind.STANDARD,
        db_default=PromotionKind.STANDARD.value,
    )
    type = models.CharField(max_length=16, choices=PromotionType)
    target = models.CharField(max_length=16, choices=PromotionTarget)
    target_type = models.CharField(
        max_length=16,
        choices=PromotionTarget,
        default=PromotionTarget.ITEMS,
        db_default=PromotionTarget.ITEMS.value,
    )
    value = MoneyField()
    currency = models.ForeignKey(
        Currency, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_column="currency_code"
    )
    is_tax_inclusive = models.BooleanField(default=False, db_default=False)
    allocation = models.CharField(
        max_length=8,
        choices=Allocation,
        null=True,
        blank=True,
        default=Allocation.EACH,
        db_default=Allocation.EACH.value,
    )
    max_quantity = models.PositiveIntegerField(null=True, blank=True)
    buy_rules_min_quantity = models.PositiveIntegerField(null=True, blank=True)
    apply_to_quantity = models.PositiveIntegerField(null=True, blank=True)
    description = models.TextField(null=True, blank=True)
    priority = models.SmallIntegerField(default=0, db_default=0)
    combines_with_product = models.BooleanField(default=True, db_default=True)
    combines_with_order = models.BooleanField(default=True, db_default=True)
    combines_with_shipping = models.BooleanField(default=True, db_default=True)
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="promotions", db_index=True
    )
    starts_at = TimestampField(null=True, blank=True)
    ends_at = TimestampField(null=True, blank=True)
    usage_limit = models.PositiveIntegerField(null=True, blank=True)
    usage_limit_per_customer = models.PositiveIntegerField(null=True, blank=True)
    used = models.PositiveIntegerField(default=0, editable=False)
    saved = models.JSONField(null=True, editable=False)
    products = models.ManyToManyField(Product, blank=True, related_name="promotions")
    is_gated = models.BooleanField(default=False, db_default=False, editable=False)
    metadata = models.JSONField(null=True, blank=True)

    objects = PromotionQuerySet.as_manager()

    class Meta:
        # Every change of a cart looks for these.
        indexes = [
            models.Index(
                fields=["id"], condition=Q(is_automatic=True, deleted_at=None), name="carts_promotion_automatic"
            ),
            models.Index(
                fields=["id"],
                condition=Q(is_automatic=True, is_gated=False, status="active", deleted_at=None),
                name="carts_promotion_for_all",
            ),
        ]
        constraints = [
            unique_unless_deleted("code", name="carts_promotion_code_taken"),
            models.CheckConstraint(condition=Q(value__gt=0), name="carts_promotion_value"),
            models.CheckConstraint(
                condition=Q(type="percentage", value__lte=100) | Q(type="fixed", currency__isnull=False),
                name="carts_promotion_amount",
            ),
            models.CheckConstraint(
                condition=Q(usage_limit=None) | Q(used__lte=F("usage_limit")), name="carts_promotion_usage"
            ),
            models.CheckConstraint(
                condition=Q(usage_limit_per_customer=None) | Q(usage_limit_per_customer__gte=1),
                name="carts_promotion_usage_per_customer",
            ),
            models.CheckConstraint(
                condition=Q(starts_at=None) | Q(ends_at=None) | Q(starts_at__lt=F("ends_at")),
                name="carts_promotion_starts_before_end",
            ),
            models.CheckConstraint(
                condition=Q(target__in=(PromotionTarget.ITEMS, PromotionTarget.ORDER)), name="carts_promotion_target"
            ),
            models.CheckConstraint(condition=Q(status__in=PromotionStatus.values), name="carts_promotion_status"),
            models.CheckConstraint(
                condition=Q(kind=PromotionKind.STANDARD, buy_rules_min_quantity=None, apply_to_quantity=None)
                | Q(
                    kind=PromotionKind.BUYGET,
                    target_type=PromotionTarget.ITEMS,
                    buy_rules_min_quantity__gte=1,
                    apply_to_quantity__gte=1,
                ),
                name="carts_promotion_kind",
            ),
            models.CheckConstraint(
                condition=(_OF_ORDER | _OF_ROWS) & (Q(max_quantity=None) | Q(max_quantity__gte=1)),
                name="carts_promotion_allocation",
            ),
            models.CheckConstraint(condition=Q(is_automatic=False) | Q(has_codes=False), name="carts_promotion_entry"),
        ]

    def __str__(self) -> str:
        return self.code
