"""Price sets with their prices, each for a currency, quantities and a context; and price lists for sales."""

from django.db import models
from django.db.models import F, Q

from catalog.rule_attributes import attribute_words
from catalog.states import PriceListStatus, PriceListType, RuleOperator
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField
from kit.values.written_amounts import written
from shop.models import Currency


class PriceSet(BaseModel):
    """The prices of one variant or shipping option."""

    id = IdField(prefix="pset")

    objects = BackOfficeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.id


class PriceList(BaseModel):
    """A sale or override, valid from starts_at until before ends_at.

    reductions: what has filled it with reduced prices (catalog/prices/reductions), the last one at the end.
    """

    event_name = "price-list"
    id = IdField(prefix="plist")
    title = models.CharField(max_length=255)
    description = models.TextField(blank=True, default="")
    type = models.CharField(max_length=16, choices=PriceListType, default=PriceListType.SALE)
    status = models.CharField(max_length=16, choices=PriceListStatus, default=PriceListStatus.DRAFT)
    starts_at = TimestampField(null=True, blank=True)
    ends_at = TimestampField(null=True, blank=True)
    reductions = models.JSONField(null=True, blank=True, editable=False)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            unique_unless_deleted("title", name="catalog_pricelist_title_taken"),
            models.CheckConstraint(
                condition=Q(starts_at=None) | Q(ends_at=None) | Q(starts_at__lt=F("ends_at")),
                name="catalog_pricelist_starts_before_end",
            ),
            models.CheckConstraint(condition=Q(type__in=PriceListType.values), name="catalog_pricelist_type"),
            models.CheckConstraint(condition=Q(status__in=PriceListStatus.values), name="catalog_pricelist_status"),
        ]

    def __str__(self) -> str:
        return self.title


class Price(BaseModel):
    """An amount for quantities from min_quantity to max_quantity, which applies if all its rules match.

    reduced_to: the amount that a reduction of the list has written. If `amount` is another one, staff have set it.
    """

    touches = ("price_list", "price_set__variant", "price_set__shipping_option")
    id = IdField(prefix="price")
    price_set = models.ForeignKey(PriceSet, on_delete=models.CASCADE, related_name="prices")
    price_list = models.ForeignKey(PriceList, null=True, blank=True, on_delete=models.CASCADE, related_name="prices")
    currency = models.ForeignKey(Currency, on_delete=models.PROTECT, related_name="+", db_column="currency_code")
    amount = MoneyField()
    reduced_to = MoneyField(null=True, blank=True, editable=False)
    min_quantity = models.PositiveIntegerField(null=True, blank=True)
    max_quantity = models.PositiveIntegerField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="catalog_price_not_negative"),
            models.CheckConstraint(
                condition=Q(min_quantity=None) | Q(max_quantity=None) | Q(min_quantity__lte=F("max_quantity")),
                name="catalog_price_quantities",
            ),
        ]

    def __str__(self) -> str:
        return written(self.amount, self.currency_id)


class PriceRule(BaseModel):
    """A condition of a price: compares `attribute` of the context, such as `region_id`, with `value` by `operator`."""

    touches = ("price",)
    id = IdField(prefix="prule")
    price = models.ForeignKey(Price, on_delete=models.CASCADE, related_name="rules")
    attribute = models.CharField(max_length=255)
    operator = models.CharField(max_length=8, choices=RuleOperator, default=RuleOperator.EQUAL)
    value = models.TextField()

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["price", "attribute", "operator"], name="catalog_pricerule_taken"),
            models.CheckConstraint(condition=Q(operator__in=RuleOperator.values), name="catalog_pricerule_operator"),
        ]

    def __str__(self) -> str:
        return f"{self.attribute} {self.operator} {self.value}"


class PriceListRule(BaseModel):
    """A condition of a price list: `attribute` of the context must be one of the texts in `value`."""

    touches = ("price_list",)
    id = IdField(prefix="prule")
    price_list = models.ForeignKey(PriceList, on_delete=models.CASCADE, related_name="rules")
    attribute = models.CharField(max_length=255)
    value = models.JSONField(default=list)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["price_list", "attribute"], name="catalog_pricelistrule_taken")]

    def __str__(self) -> str:
        return f"{attribute_words(self.attribute)} is one of {', '.join(map(str, self.value))}"
