"""Dumps a shop's data to a file."""

import gzip
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.core.management.base import CommandError

from commerce.operations.shop_files.shop_files import KEYS, dump, orders_left_out
from giftcards.shop_file import GiftCards
from kit.commands.atomic_files import whole_file
from kit.commands.operator_command import OperatorCommand
from kit.commands.progress_bars import with_bar
from pictures.local_files import Target, dumped_to


class Command(OperatorCommand):
    """Writes a file for load_shop; loaded into the same shop, it changes nothing."""

    help = (
        "Write the shop's data as JSON. Users and secret keys are left out by default. The codes of gift "
        "cards are included: anybody who reads them can spend them."
    )
    examples = ("dump_shop shop.json.gz", "dump_shop products.json --only product_categories products --media pictures")
    interruption = "no incomplete file is left; you can run the command again"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="A .json or .json.gz file; else standard output.")
        parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help="Only these keys.")
        parser.add_argument(
            "--with-credentials",
            action="store_true",
            help="Include users and secret keys, with hashes of passwords and tokens; only you can read the file.",
        )

        parser.add_argument(
            "--media",
            metavar="DIR",
            help="Copy uploaded pictures into this directory, which must be that of the file or below it.",
        )

    def handle(self, *, media: str | None, **options: Any) -> None:
        if media is None:
            self._dump(**options)
            return
        target = _target(Path(media), beside=options["file"])
        with dumped_to(target):
            self._dump(**options)
        if target.missing:
            self.stderr.write(f"Pictures left out because they are not ready: {len(target.missing)}")

    def _dump(self, *, file: str | None, only: list[str], with_credentials: bool, **_: object) -> None:
        if file is None:
            dump(sys.stdout.buffer, only=only, with_credentials=with_credentials, watch=with_bar)
            return
        try:
            with _written(file) as (stream, publish):
                counts = dump(stream, only=only, with_credentials=with_credentials, watch=with_bar)
                if not with_credentials and not counts.get(GiftCards.key):
                    publish()
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        for key, count in counts.items():
            self.stdout.write(f"{key}: {count}")
        if not only and (left_out := orders_left_out()):
            self.stdout.write(f"The file does not contain the {left_out} orders of the shop.")


def _target(media: Path, *, beside: str | None) -> Target:
    """Where pictures go; the directory exists after this. Raises CommandError."""
    base = (Path(beside).parent if beside else Path()).resolve()
    try:
        relative = media.resolve().relative_to(base)
        media.mkdir(parents=True, exist_ok=True)
    except ValueError as error:
        raise CommandError(f"--media must be {base} or a directory below it, so that the dump can be moved.") from error
    except OSError as error:
        raise CommandError(f"{media}: {error.strerror}") from error
    return Target(media, "" if relative == Path() else f"{relative.as_posix()}/")


@contextmanager
def _written(name: str) -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
    """The file. Only its owner may read it, unless the second value is called: then it gets the mode of new files."""
    with whole_file(name) as file:
        publish = partial(_publish, file.fileno())
        if name.endswith(".gz"):
            with gzip.open(file, "wb") as packed:
                yield cast(BinaryIO, packed), publish
        else:
            yield file, publish


def _publish(descriptor: int) -> None:
    mask = os.umask(0o077)  # it can be read only by setting it
    os.umask(mask)
    os.fchmod(descriptor, 0o666 & ~mask)
