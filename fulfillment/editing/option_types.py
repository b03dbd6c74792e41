"""What customers can expect of shipping options: types, which options can share."""

from collections.abc import Iterable, Mapping
from functools import partial

from django.db.models import Count

from fulfillment.models import ShippingOption, ShippingOptionType
from kit.editing.changes import Changes
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.uses import require_unused
from kit.editing.verbs import RowVerbs

TYPES = RowVerbs(
    ShippingOptionType,
    ("label", "description", "code"),
    delete=partial(delete_rows, check=require_unused),
    restore=restore_rows,
)


class OptionTypes:
    """The types of a batch of options, whose texts the options can change."""

    def __init__(self, options: Iterable[ShippingOption]) -> None:
        held = {option.type_id for option in options if option.type_id}
        self.rows: Mapping[str | None, ShippingOptionType] = ShippingOptionType.objects.in_bulk(held)
        uses = ShippingOption.objects.filter(type__in=held).values_list("type").annotate(Count("pk")) if held else ()
        self._shared = {key for key, count in uses if count > 1}
        self._changes = Changes(ShippingOptionType)

    def put(self, stored_id: str | None, texts: Mapping[str, object] | None) -> tuple[str | None, bool]:
        """The id of the option's type with these texts, and whether that changes anything.

        A type that no other option has is changed; else the option gets a new one.
        """
        if texts is None:
            return None, stored_id is not None
        present = self.rows.get(stored_id)
        if present is not None and (stored_id not in self._shared or _has(present, texts)):
            return stored_id, self._changes.change(present, texts)
        return self._changes.make(**texts).pk, True

    def write(self) -> None:
        """Save the changes; call it once."""
        self._changes.write()


def _has(kind: ShippingOptionType, texts: Mapping[str, object]) -> bool:
    return all(getattr(kind, name) == text for name, text in texts.items())
