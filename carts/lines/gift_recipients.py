"""Who gets a gift card that is bought: `metadata.recipient_email` of its line."""

from kit.errors import InvalidData, shown
from kit.values import email_address
from kit.values.metadata import Metadata

_KEY = "recipient_email"
_FIELD = f"metadata.{_KEY}"


def recipient_of(metadata: Metadata | None) -> str | None:
    """The recipient's email address; None if the metadata has none. Raises InvalidData, naming the field."""
    value = metadata.get(_KEY) if metadata else None
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InvalidData(f"Expected type: 'string' for field '{_FIELD}', got: '{shown(value)}'")
    return email_address.checked(value, field=_FIELD)
