"""What belongs to a promotion: its rules, gates, codes and uses."""

from django.db import models
from django.db.models import F, Q

from carts.models.campaigns import Campaign
from carts.models.promotions import Promotion
from carts.states import Comparison, RuleKind
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.email_address import LONGEST
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField, now

LONGEST_CODE = 255


class PromotionRule(BaseModel):
    """A condition of a promotion. All of a kind must hold; the values (texts) are alternatives.

    What it can be about: carts/rule_attributes.py.
    """

    id = IdField(prefix="prorul")
    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="rules")
    kind = models.CharField(max_length=16, choices=RuleKind)
    attribute = models.CharField(max_length=64)
    operator = models.CharField(max_length=8, choices=Comparison, default=Comparison.IN)
    values = models.JSONField()
    description = models.TextField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=RuleKind.values), name="carts_promotionrule_kind"),
            models.CheckConstraint(condition=Q(operator__in=Comparison.values), name="carts_promotionrule_operator"),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} {self.operator} {', '.join(map(str, self.values))}"


class PromotionGate(models.Model):
    """A key, such as `collection:pcol_…`: only carts with one of its keys can use an automatic promotion."""

    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="gates")
    key = models.CharField(max_length=96)

    objects = models.Manager["PromotionGate"]()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "promotion"], name="carts_promotiongate_once")]

    def __str__(self) -> str:
        return self.key


class PromotionCode(BaseModel):
    """A code that customers enter: the promotion's own, or one of a batch.

    code_key: what is compared with what they type (carts/promotions/codes.py). used: the number of completed carts that
    have used it.
    """

    id = IdField(prefix="procode")
    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="codes", db_index=False)
    code = models.CharField(max_length=LONGEST_CODE)
    code_key = models.CharField(max_length=3 * LONGEST_CODE, editable=False)  # an upper-case letter may be three
    usage_limit = models.PositiveIntegerField(null=True, blank=True)
    used = models.PositiveIntegerField(default=0, editable=False)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        permissions = [("export_promotioncode", "Can export the codes of promotions")]
        constraints = [
            unique_unless_deleted("code_key", name="carts_promotioncode_taken"),
            models.CheckConstraint(
                condition=Q(usage_limit=None) | Q(used__lte=F("usage_limit")), name="carts_promotioncode_usage"
            ),
        ]
        indexes = [models.Index(fields=["promotion", "id"], name="carts_promotioncode_listed")]

    def __str__(self) -> str:
        return self.code


class PromotionUsage(models.Model):
    """A use of a promotion by the cart that is completed, or was. cart_id: of a row that may be gone.

    customer_key: the id of the customer, or a guest's email address; see carts/promotions/promotion_usage.py.
    code: the entered code; null for an automatic promotion, and for uses that an older version has counted.
    campaign: whose budget counts it. amount: what that counts; null where no amount counts.
    saved: what it took off, as stated on the lines; null, as currency_code is, for uses that an older version counted.
    """

    id = IdField(prefix="prouse")
    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="usages", db_index=False)
    cart_id = models.CharField(max_length=ID_MAX_LENGTH)
    customer_key = models.CharField(max_length=LONGEST)
    code = models.ForeignKey(PromotionCode, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)
    amount = MoneyField(null=True)
    saved = MoneyField(null=True)
    currency_code = models.CharField(max_length=3, null=True)
    created_at = TimestampField(default=now, editable=False)

    objects = models.Manager["PromotionUsage"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["cart_id", "promotion"], name="carts_promotionusage_once_a_cart")
        ]
        indexes = [models.Index(fields=["promotion", "customer_key"], name="carts_promotionusage_customer")]

    def __str__(self) -> str:
        return f"{self.promotion_id} by {self.cart_id}"
