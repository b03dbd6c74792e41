"""Dumps a shop's data to a file."""

import gzip
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from django.core.management.base import BaseCommand, CommandError

from commerce.operations.shop_files import KEYS, dump
from giftcards.shop_file import GiftCards


class Command(BaseCommand):
    """What load_shop reads; loaded into the same shop it changes nothing."""

    help = (
        "Write the shop's data as JSON. Users and secret keys are left out unless asked for. Codes of gift cards are "
        "there, which whoever reads them can spend."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="A .json or .json.gz file; else standard output.")
        parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help="These keys alone.")
        parser.add_argument(
            "--with-credentials",
            action="store_true",
            help="Users and secret keys too, by the hashes of passwords and tokens; nobody else may read the file.",
        )

    def handle(self, *, file: str | None, only: list[str], with_credentials: bool, **_: object) -> None:
        if file is None:
            dump(sys.stdout.buffer, only=only, with_credentials=with_credentials)
            return
        try:
            with _written(file) as (stream, publish):
                counts = dump(stream, only=only, with_credentials=with_credentials)
                if not with_credentials and not counts.get(GiftCards.key):
                    publish()
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        for key, count in counts.items():
            self.stdout.write(f"{key}: {count}")


@contextmanager
def _written(name: str) -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
    """The file, there under its name once it is whole; an older one of that name stays until then.

    It is for its owner alone, unless what comes with it is called: then for whom new files are.
    """
    part = Path(f"{name}.part")
    part.unlink(missing_ok=True)  # what is there already would keep its mode
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            publish = partial(_publish, file.fileno())
            if name.endswith(".gz"):
                with gzip.open(file, "wb") as packed:
                    yield cast(BinaryIO, packed), publish
            else:
                yield file, publish
        part.replace(name)
    finally:
        part.unlink(missing_ok=True)


def _publish(descriptor: int) -> None:
    kept_back = os.umask(0o077)  # to read it, it has to be set
    os.umask(kept_back)
    os.fchmod(descriptor, 0o666 & ~kept_back)
