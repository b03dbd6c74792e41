"""A database at one moment, as it goes into a backup."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Snapshot:
    """chunks: the content of the member. rows, migrations: as in the manifest, of the same moment."""

    chunks: Iterator[bytes]
    rows: Mapping[str, int]
    migrations: Sequence[str]
