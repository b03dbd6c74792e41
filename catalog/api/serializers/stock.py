"""The serializers and inputs of stock: inventory items, their levels at locations, and reservations."""

from typing import Any

from django.db.models import F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from rest_framework import serializers

from catalog.api.serializers.records import MeasuredSerializer
from catalog.models import InventoryItem, InventoryLevel, Reservation
from catalog.stock.stock_changes import MOST_CHANGES
from catalog.stock.stock_movements import MOST_STOCKED
from kit.reads.declarations.computed import ConstantField, Embedded, SqlField
from kit.reads.declarations.fields import ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, RecordSerializer
from kit.rest.requests import input_fields
from kit.rest.requests.inputs import Input
from kit.rest.responses.answers import DeletedSerializer

LONGEST_NOTE = 1000


def _added_up(column: str) -> Coalesce:
    """The sum of the column over the item's levels."""
    levels = InventoryLevel.objects.not_deleted().filter(inventory_item=OuterRef("pk")).order_by()
    total = levels.values("inventory_item").annotate(total=Sum(column)).values("total")
    return Coalesce(Subquery(total, output_field=IntegerField()), 0)


class InventoryItemSerializer(MeasuredSerializer):
    """An item that is stocked; variants are sold from it."""

    id = serializers.CharField()
    sku = serializers.CharField(allow_null=True)
    title = serializers.CharField()
    description = serializers.CharField(allow_null=True)
    thumbnail = serializers.CharField(allow_null=True)
    unit_of_measure = serializers.CharField(allow_null=True)
    requires_shipping = serializers.BooleanField()
    stocked_quantity = SqlField(
        serializers.IntegerField(), expression=_added_up("stocked_quantity"), help_text="Pieces at all locations."
    )
    reserved_quantity = SqlField(
        serializers.IntegerField(),
        expression=_added_up("reserved_quantity"),
        help_text="How many of them are sold and have not been shipped.",
    )
    location_levels = ToMany(
        lambda: InventoryLevelSerializer, key="inventory_item_id", inverse="inventory_item", order=("location_id",)
    )

    class Meta:
        model = InventoryItem


class InventoryLevelSerializer(DatedSerializer, DeletableSerializer):
    """The stock of an item at a location, in pieces."""

    id = serializers.CharField()
    inventory_item_id = serializers.CharField()
    location_id = serializers.CharField()
    stocked_quantity = serializers.IntegerField(
        help_text="Pieces in stock; negative if backorders were shipped before the goods arrived."
    )
    reserved_quantity = serializers.IntegerField(help_text="Pieces that are sold and have not been shipped.")
    available_quantity = SqlField(
        serializers.IntegerField(),
        expression=F("stocked_quantity") - F("reserved_quantity"),
        help_text="Stocked minus reserved.",
    )
    incoming_quantity = serializers.IntegerField(help_text="Pieces that are on their way.")
    metadata = ConstantField(serializers.DictField(allow_null=True), value=None, help_text="Always null.")
    inventory_item = ToOne(lambda: InventoryItemSerializer, key="inventory_item_id")

    class Meta:
        model = InventoryLevel


class ReservationSerializer(RecordSerializer):
    """Pieces that are set aside for a line of an order, or by hand."""

    id = serializers.CharField()
    line_item_id = serializers.CharField(allow_null=True)
    location_id = serializers.CharField()
    inventory_item_id = serializers.CharField()
    quantity = serializers.IntegerField()
    allow_backorder = serializers.BooleanField(help_text="Whether they may be shipped without being in stock.")
    description = serializers.CharField()
    external_id = ConstantField(serializers.CharField(allow_null=True), value=None, help_text="Always null.")
    inventory_item = ToOne(lambda: InventoryItemSerializer, key="inventory_item_id")

    class Meta:
        model = Reservation


class DeletedLevelSerializer(DeletedSerializer):
    """The deleted level, and its item without it."""

    parent = InventoryItemSerializer()


class InventoryLevelBatchSerializer(serializers.Serializer[Any]):
    """The levels that a batch has created and updated, and the ids of those that it has deleted."""

    created = Embedded(lambda: InventoryLevelSerializer, many=True)
    updated = Embedded(lambda: InventoryLevelSerializer, many=True)
    deleted = serializers.ListField(child=serializers.CharField())


def _quantity(**options: Any) -> input_fields.IntegerField:
    return input_fields.IntegerField(required=False, min_value=0, max_value=MOST_STOCKED, **options)


def _note() -> input_fields.CharField:
    return input_fields.CharField(
        required=False, max_length=LONGEST_NOTE, help_text="Shown in the history of the stock."
    )


class _ChangeInput(Input):
    stocked_quantity = _quantity()
    expected_stocked_quantity = input_fields.IntegerField(
        required=False,
        help_text="The stock that you expect. If the current stock differs, nothing changes and the response is a 409.",
    )
    adjust_by = input_fields.IntegerField(
        required=False,
        min_value=-MOST_STOCKED,
        max_value=MOST_STOCKED,
        help_text="Pieces to add, or to remove if negative. Not together with `stocked_quantity`.",
    )
    incoming_quantity = _quantity()


class InventoryLevelInput(_ChangeInput):
    """A change to the stock of an item at a location. Omitted fields stay as they are."""

    note = _note()


class PlacedInventoryLevelInput(InventoryLevelInput):
    """A change to the stock of an item at a location. Omitted fields stay as they are."""

    location_id = input_fields.CharField(allow_blank=False)


class NewLocationLevelInput(Input):
    """The first stock of an item at a location."""

    location_id = input_fields.CharField(allow_blank=False)
    stocked_quantity = _quantity()
    incoming_quantity = _quantity()


class NewInventoryLevelInput(NewLocationLevelInput):
    """The first stock of an item at a location."""

    inventory_item_id = input_fields.CharField(allow_blank=False)


class ChangedLocationLevelInput(_ChangeInput):
    """A change to the stock at a location."""

    location_id = input_fields.CharField(allow_blank=False)
    id = input_fields.CharField(
        required=False, help_text="The id of the level. Optional: the item and the location identify it."
    )


class ChangedInventoryLevelInput(ChangedLocationLevelInput):
    """A change to a stock level, identified by its item and location."""

    inventory_item_id = input_fields.CharField(allow_blank=False)


def _changes(each: type[Input]) -> input_fields.ListSerializer:
    return input_fields.ListSerializer(child=each(), required=False, max_length=MOST_CHANGES)


class LocationLevelBatchInput(Input):
    """Levels of an item to create, update and delete, at most 1,000 in total: all or none."""

    # DRF's methods of these names have no part in inputs.
    create = _changes(NewLocationLevelInput)  # type: ignore[assignment]
    update = _changes(ChangedLocationLevelInput)  # type: ignore[assignment]
    delete = input_fields.ListField(required=False, help_text="Ids of levels.")
    force = input_fields.BooleanField(
        required=False, help_text="Whether to write off what deleted levels have in stock and incoming."
    )
    note = _note()


class InventoryLevelBatchInput(LocationLevelBatchInput):
    """Levels to create, update and delete, at most 1,000 in total: all or none."""

    create = _changes(NewInventoryLevelInput)
    update = _changes(ChangedInventoryLevelInput)
