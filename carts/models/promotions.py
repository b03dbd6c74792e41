"""Promotions: discounts by code, or automatic ones."""

from django.db import models
from django.db.models import F, Q

from carts.states import PromotionTarget, PromotionType
from catalog.models import Product
from kit.domain.base_model import BaseModel, PublicQuerySet, unique_unless_deleted
from kit.values.email_address import LONGEST
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now
from shop.models import Currency


class Promotion(BaseModel):
    """value: percent, or an amount in `currency`. products: those it applies to; none for all.

    is_tax_inclusive: whether a fixed amount includes tax; False for a percentage.

    usage_limit: the number of completed carts that may use it; usage_limit_per_customer: of each customer, and of each
    guest's email address; null for no limit. Uses are counted at completion (carts/promotions/promotion_usage.py).
    """

    id = IdField(prefix="promo")
    code = models.CharField(max_length=255)
    is_automatic = models.BooleanField(default=False)
    type = models.CharField(max_length=16, choices=PromotionType)
    target = models.CharField(max_length=16, choices=PromotionTarget)
    value = MoneyField()
    currency = models.ForeignKey(
        Currency, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_column="currency_code"
    )
    is_tax_inclusive = models.BooleanField(default=False, db_default=False)
    starts_at = TimestampField(null=True, blank=True)
    ends_at = TimestampField(null=True, blank=True)
    usage_limit = models.PositiveIntegerField(null=True, blank=True)
    usage_limit_per_customer = models.PositiveIntegerField(null=True, blank=True)
    used = models.PositiveIntegerField(default=0, editable=False)
    products = models.ManyToManyField(Product, blank=True, related_name="promotions")
    metadata = models.JSONField(null=True, blank=True)

    objects = PublicQuerySet.as_manager()

    class Meta:
        # Every change of a cart looks for these.
        indexes = [
            models.Index(
                fields=["id"], condition=Q(is_automatic=True, deleted_at=None), name="carts_promotion_automatic"
            )
        ]
        constraints = [
            unique_unless_deleted("code", name="carts_promotion_code_taken"),
            models.CheckConstraint(condition=Q(value__gt=0), name="carts_promotion_value"),
            models.CheckConstraint(
                condition=Q(type="percentage", currency=None, value__lte=100) | Q(type="fixed", currency__isnull=False),
                name="carts_promotion_type",
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
            models.CheckConstraint(condition=Q(target__in=PromotionTarget.values), name="carts_promotion_target"),
        ]

    def __str__(self) -> str:
        return self.code


class PromotionUsage(models.Model):
    """A use of a promotion by the cart that is completed, or was. cart_id: of a row that may be gone.

    customer_key: the id of the customer, or a guest's email address; see carts/promotions/promotion_usage.py.
    """

    id = IdField(prefix="prouse")
    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="usages", db_index=False)
    cart_id = models.CharField(max_length=ID_MAX_LENGTH)
    customer_key = models.CharField(max_length=LONGEST)
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["PromotionUsage"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cart_id", "promotion"], name="carts_promotionusage_once_a_cart")
        ]
        indexes = [models.Index(fields=["promotion", "customer_key"], name="carts_promotionusage_customer")]

    def __str__(self) -> str:
        return f"{self.promotion_id} by {self.cart_id}"
