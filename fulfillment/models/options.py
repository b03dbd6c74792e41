"""The shipping options of a service zone, with their prices and rules."""

from django.db import models
from django.db.models import Q

from catalog.models import PriceSet
from catalog.rule_attributes import attribute_words
from fulfillment.models.zones import ServiceZone
from fulfillment.states import OPERATOR_WORDS, OptionRuleOperator, PriceType
from kit.domain.base_model import BackOfficeQuerySet, BaseModel, unique_unless_deleted
from kit.values.ids import IdField
from shop.models import FulfillmentProvider, ShippingProfile


class ShippingOptionType(BaseModel):
    """What customers can expect, such as `Express`."""

    touches = ("shipping_options",)
    id = IdField(prefix="sotype")
    label = models.CharField(max_length=255)
    description = models.TextField(blank=True, default="")
    code = models.CharField(max_length=255)

    objects = BackOfficeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.label


class ShippingOption(BaseModel):
    """A shipping option of a service zone."""

    id = IdField(prefix="so")
    name = models.CharField(max_length=255)
    price_type = models.CharField(max_length=16, choices=PriceType, default=PriceType.FLAT)
    service_zone = models.ForeignKey(ServiceZone, on_delete=models.CASCADE, related_name="shipping_options")
    shipping_profile = models.ForeignKey(
        ShippingProfile, null=True, blank=True, on_delete=models.PROTECT, related_name="shipping_options"
    )
    provider = models.ForeignKey(
        FulfillmentProvider, null=True, blank=True, on_delete=models.PROTECT, related_name="shipping_options"
    )
    type = models.ForeignKey(
        ShippingOptionType, null=True, blank=True, on_delete=models.SET_NULL, related_name="shipping_options"
    )
    data = models.JSONField(null=True, blank=True)
    price_set = models.OneToOneField(
        PriceSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="shipping_option"
    )
    metadata = models.JSONField(null=True, blank=True)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            unique_unless_deleted("service_zone", "name", name="fulfillment_option_name_taken"),
            models.CheckConstraint(condition=Q(price_type__in=PriceType.values), name="fulfillment_option_price_type"),
        ]

    def __str__(self) -> str:
        return self.name


class ShippingOptionRule(BaseModel):
    """A condition of an option on `attribute` of the cart, by `operator` and `value`: a text or a list of texts."""

    touches = ("shipping_option",)
    id = IdField(prefix="sorul")
    shipping_option = models.ForeignKey(ShippingOption, on_delete=models.CASCADE, related_name="rules")
    attribute = models.CharField(max_length=255)
    operator = models.CharField(max_length=8, choices=OptionRuleOperator)
    value = models.JSONField()

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(operator__in=OptionRuleOperator.values), name="fulfillment_rule_operator"
            )
        ]

    def __str__(self) -> str:
        values = ", ".join(map(str, self.value)) if isinstance(self.value, list) else self.value
        return f"{attribute_words(self.attribute)} {OPERATOR_WORDS.get(self.operator, self.operator)} {values}"
