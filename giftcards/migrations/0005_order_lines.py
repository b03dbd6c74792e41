"""A gift card names the order's line that it was bought as by a plain id: orders are an app above this one.

Cards of carts' lines get the id that their line will have in its order, which differs in the prefix alone.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Substr

from giftcards import triggers

CART, ORDER = "cali", "ordli"


def remove_triggers(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor)


def install_triggers(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


def to_orders(apps: Any, schema_editor: Any) -> None:
    _rename(apps, schema_editor, CART, ORDER)


def to_carts(apps: Any, schema_editor: Any) -> None:
    _rename(apps, schema_editor, ORDER, CART)


def _rename(apps: Any, schema_editor: Any, before: str, after: str) -> None:
    cards = apps.get_model("giftcards", "GiftCard").objects.using(schema_editor.connection.alias)
    renamed = Concat(Value(after), Substr(F("line_item_id"), len(before) + 1))
    cards.filter(line_item_id__startswith=f"{before}_").update(line_item_id=renamed)


class Migration(migrations.Migration):
    dependencies = [("giftcards", "0004_holds")]

    operations = [
        migrations.RunPython(remove_triggers, install_triggers),
        migrations.DeleteModel("GiftCardLineItem"),
        migrations.RemoveConstraint("giftcard", "giftcards_card_unit_taken"),
        migrations.RemoveConstraint("giftcard", "giftcards_card_unit_of_line"),
        migrations.AlterField(
            "giftcard",
            "line_item",
            models.CharField(max_length=64, null=True, blank=True, editable=False, db_column="line_item_id"),
        ),
        migrations.RenameField("giftcard", "line_item", "line_item_id"),
        migrations.AlterField(
            "giftcard", "line_item_id", models.CharField(max_length=64, null=True, blank=True, editable=False)
        ),
        migrations.RunPython(to_orders, to_carts),
        migrations.AddConstraint(
            "giftcard",
            models.UniqueConstraint(fields=["line_item_id", "unit"], name="giftcards_card_unit_taken"),
        ),
        migrations.AddConstraint(
            "giftcard",
            models.CheckConstraint(
                condition=Q(line_item_id=None, unit=None) | Q(line_item_id__isnull=False, unit__isnull=False),
                name="giftcards_card_unit_of_line",
            ),
        ),
        migrations.RunPython(install_triggers, remove_triggers),
    ]
