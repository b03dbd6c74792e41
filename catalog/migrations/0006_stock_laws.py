"""Stock and reservations that agree, an opening movement for all stock there is, and the triggers that keep it so."""

from itertools import islice
from typing import Any

from django.db import migrations
from django.db.models import Exists, F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from catalog.stock import stock_triggers


def _settle(apps: Any, schema_editor: Any) -> None:
    level, movement = apps.get_model("catalog", "InventoryLevel"), apps.get_model("catalog", "StockMovement")
    living = apps.get_model("catalog", "Reservation").objects.filter(deleted_at=None)
    own_level = level.objects.filter(inventory_item=OuterRef("inventory_item"), location=OuterRef("location"))
    without = living.exclude(Exists(own_level)).order_by().values_list("inventory_item", "location").distinct()
    level.objects.bulk_create(
        [level(inventory_item_id=item, location_id=location) for item, location in without], batch_size=1000
    )

    # Where this migration is applied again, movements explain some or all of the stock.
    moved = Sum(F("movements__stocked_after") - F("movements__stocked_before"), default=0)
    unexplained = level.objects.annotate(moved=moved).exclude(stocked_quantity=F("moved")).order_by("pk")
    openings = (
        movement(level_id=key, reason="opening", stocked_before=before, stocked_after=quantity)
        for key, before, quantity in unexplained.values_list("pk", "moved", "stocked_quantity").iterator()
    )
    while some := list(islice(openings, 1000)):
        movement.objects.bulk_create(some)

    of_level = living.filter(inventory_item=OuterRef("inventory_item"), location=OuterRef("location")).order_by()
    total = of_level.values("inventory_item").annotate(total=Sum("quantity")).values("total")
    reserved = Coalesce(Subquery(total, output_field=IntegerField()), 0)
    level.objects.annotate(added_up=reserved).exclude(reserved_quantity=F("added_up")).update(reserved_quantity=reserved)

    # Whether a line was sold on backorder was not recorded: its item says so, if a variant that has it allows it.
    link = apps.get_model("catalog", "VariantInventoryItem").objects.filter(
        inventory_item=OuterRef("inventory_item"), deleted_at=None, variant__allow_backorder=True
    )
    living.filter(Exists(link)).update(allow_backorder=True)


def _install(apps: Any, schema_editor: Any) -> None:
    stock_triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    stock_triggers.remove(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0005_stock_movements'),
    ]

    operations = [
        migrations.RunPython(_settle, migrations.RunPython.noop),
        migrations.RunPython(_install, _remove),
    ]
