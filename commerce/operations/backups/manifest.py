"""The manifest of a backup."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from commerce.operations.backups.refusal import BackupRefused

FORMAT = 1
"""The version of the file's format. A change that older versions cannot read takes the next number."""


@dataclass(frozen=True)
class Manifest:
    """version: of the shop's code. database: the vendor. migrations: those applied, `app.0001_initial`.

    rows: the number of rows by table. secrets: digests of the secrets, the current one first, by their variable.
    members: the SHA-256 of each other member of the file, by its name.
    """

    version: str
    created_at: str
    database: str
    migrations: Sequence[str]
    rows: Mapping[str, int]
    secrets: Mapping[str, Sequence[str]]
    members: Mapping[str, str]
    format: int = FORMAT


def written(manifest: Manifest) -> bytes:
    """The manifest as JSON, as the file has it."""
    return orjson.dumps(asdict(manifest), option=orjson.OPT_INDENT_2)


def read(text: bytes) -> Manifest:
    """Raises BackupRefused for a manifest of a later format, and for one that cannot be read."""
    try:
        values: dict[str, Any] = orjson.loads(text)
        if values["format"] > FORMAT:
            raise BackupRefused(f"The backup was made by a newer version, {values['version']}: install that version.")
        return Manifest(**values)
    except (ValueError, TypeError, KeyError) as error:
        raise BackupRefused("The file is not a backup of this shop: its manifest cannot be read.") from error
