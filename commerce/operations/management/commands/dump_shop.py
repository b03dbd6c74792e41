"""Dumps a shop's data to a file."""

import gzip
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.management.base import BaseCommand, CommandError

from commerce.operations.shop_files import KEYS, dump


class Command(BaseCommand):
    """What load_shop reads; loaded into the same shop it changes nothing."""

    help = "Write the shop's data as JSON. Users and secret keys are left out unless asked for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="A .json or .json.gz file; else standard output.")
        parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help="These keys alone.")
        parser.add_argument(
            "--with-credentials",
            action="store_true",
            help="Users and secret keys too, by the hashes of passwords and tokens; nobody else may read the file.",
        )

    def handle(self, *, file: str | None, only: list[str], with_credentials: bool, **_: Any) -> None:
        if file is None:
            dump(sys.stdout.buffer, only=only, with_credentials=with_credentials)
            return
        try:
            with _written(file, mode=0o600 if with_credentials else 0o666) as stream:
                counts = dump(stream, only=only, with_credentials=with_credentials)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        for key, count in counts.items():
            self.stdout.write(f"{key}: {count}")


@contextmanager
def _written(name: str, *, mode: int) -> Iterator[BinaryIO]:
    """The file, there under its name once it is whole; an older one of that name stays until then."""
    part = Path(f"{name}.part")
    part.unlink(missing_ok=True)  # what is there already would keep its mode
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            if name.endswith(".gz"):
                with gzip.open(file, "wb") as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield file
        part.replace(name)
    finally:
        part.unlink(missing_ok=True)
