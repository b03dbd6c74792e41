"""What a page showed of a row and its parts, so that nobody overwrites what others have saved since.

A page carries a digest of each value in one hidden field. When the form is sent, they are compared with the stored
values, under the row's lock and in the transaction that saves.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Protocol, Self

import orjson
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.forms import ModelForm
from django.utils.timezone import localtime

from kit.values import bounded_json
from kit.values.timestamps import isoformat, now, parse_moment

NAME = "shown_values"
"""The name of the hidden field."""
MEANWHILE = (
    "The data has changed since this page was opened. Nothing has been saved yet; save again to keep these values."
)
_DIGEST_SIZE = 9
Digests = Mapping[str, str]


class PartForms(Protocol):
    """The forms of one inline table, such as a PartFormSet."""

    prefix: str

    def shown_rows(self) -> Mapping[str, ModelForm[Model] | None]:
        """The forms of the stored rows by primary key; None for rows without a form on the page."""


@dataclass(frozen=True)
class ShownValues:
    """The digests of one page.

    at: when it was made, in ISO 8601. row: digests of the row's own fields, by name. parts: digests of the rows of
    each inline table, by the table's prefix and the row's primary key.
    """

    at: str
    row: Digests = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, Digests]] = field(default_factory=dict)

    @classmethod
    def of(cls, form: ModelForm[Model], formsets: Iterable[PartForms]) -> Self:
        """The digests of the stored values, which are the initial values of the forms."""
        parts = {
            each.prefix: {key: digests(one) if one else {} for key, one in each.shown_rows().items()}
            for each in formsets
        }
        return cls(isoformat(now()), digests(form), parts)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parse the hidden field; None where it is missing or malformed."""
        try:
            sent = bounded_json.parse(text)
            at, row, parts = sent["at"], sent["row"], sent["parts"]
        except (ValueError, TypeError, KeyError):
            return None
        is_whole = isinstance(at, str) and isinstance(row, dict) and isinstance(parts, dict)
        return cls(at, row, parts) if is_whole and all(isinstance(each, dict) for each in parts.values()) else None

    def write(self) -> str:
        """The text for the hidden field."""
        return orjson.dumps({"at": self.at, "row": self.row, "parts": self.parts}).decode()


def differing(form: ModelForm[Model], shown: object) -> list[str]:
    """The form's fields whose stored value is not the one that was shown, or that the page lacked.

    It may lack them because an older version rendered it.

    shown: the digests, as they were sent.
    """
    if not isinstance(shown, dict):
        return []
    return [name for name, digest in digests(form).items() if shown.get(name) != digest]


def digests(form: ModelForm[Model]) -> dict[str, str]:
    """The digests of the stored values of a form's fields, except those that are saved as differences or not at all."""
    excluded = {*_ADMINISTRATIVE, form.instance._meta.pk.name, *getattr(form, "by_difference", ())}
    saved = [name for name, field in form.fields.items() if name not in excluded and not field.disabled]
    return {name: _digest(stored_text(form, name)) for name in saved}


def stored_text(form: ModelForm[Model], name: str) -> str:
    """The stored value as text; equal values give equal texts."""
    value = form.get_initial_for_field(form.fields[name], name)
    if isinstance(value, str | int | float | bool | None):
        return str(value)
    if isinstance(value, dict):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=str).decode()
    if isinstance(value, Iterable):
        return "\n".join(sorted(str(getattr(one, "pk", one)) for one in value))
    return str(getattr(value, "pk", value))


def saved_by(row: Model, since: str) -> str:
    """Who saved the row on this site after that moment, and when; changes by other programs are not known."""
    kind = ContentType.objects.get_for_model(row, for_concrete_model=False)
    entries = LogEntry.objects.filter(content_type=kind, object_id=str(row.pk)).select_related("user")
    moment: datetime | None = parse_moment(since)
    last = entries.order_by("-action_time").first() if moment else None
    if last is None or moment is None or last.action_time <= moment:
        return "outside this site"
    return f"by {last.user} at {localtime(last.action_time):%H:%M}"


_ADMINISTRATIVE = frozenset({"DELETE", "ORDER"})


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=_DIGEST_SIZE).hexdigest()
