"""Deleting and restoring fulfillment sets, service zones and shipping options, each with everything below it."""

from django.db import models, transaction

from commerce.kit.core import soft_deletion
from commerce.kit.core.actor import Actor
from commerce.kit.core.base_model import BaseModel
from commerce.kit.core.locking import lock_rows
from fulfillment.models import FulfillmentSet, GeoZone, ServiceZone, ShippingOption, ShippingOptionRule

Deletable = FulfillmentSet | ServiceZone | ShippingOption


@transaction.atomic
def delete(*, actor: Actor, row: Deletable) -> None:
    """Soft-delete the row; its name becomes free. Prices stay: they are only read with options that are not deleted.

    Raises Forbidden.
    """
    _require(actor, row)
    for locked in lock_rows(type(row).objects.not_deleted().filter(pk=row.pk)):
        soft_deletion.delete(locked, *_parts(locked))


@transaction.atomic
def restore(*, actor: Actor, row: Deletable) -> None:
    """Restore the row and what was deleted with it; what was deleted before stays deleted.

    Raises NotDeleted, ValueTaken (the row's name or that of a part), Forbidden.
    """
    _require(actor, row)
    for locked in lock_rows(type(row).objects.filter(pk=row.pk)):
        soft_deletion.restore(locked, *_parts(locked))


def _require(actor: Actor, row: Deletable) -> None:
    actor.require(f"fulfillment.delete_{row._meta.model_name}")


def _parts(row: Deletable) -> list[models.QuerySet[BaseModel]]:
    """From the outermost to the innermost."""
    if isinstance(row, ShippingOption):
        return [ShippingOptionRule.objects.filter(shipping_option=row)]
    if isinstance(row, ServiceZone):
        options = ShippingOption.objects.filter(service_zone=row)
        rules = ShippingOptionRule.objects.filter(shipping_option__service_zone=row)
        return [options, rules, GeoZone.objects.filter(service_zone=row)]
    return [
        ServiceZone.objects.filter(fulfillment_set=row),
        ShippingOption.objects.filter(service_zone__fulfillment_set=row),
        ShippingOptionRule.objects.filter(shipping_option__service_zone__fulfillment_set=row),
        GeoZone.objects.filter(service_zone__fulfillment_set=row),
    ]
