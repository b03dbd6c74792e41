"""Refusals of uploads and pictures."""

from kit.errors import InvalidData, NotAllowed


class FilesRefused(InvalidData):
    """An uploaded file, or their number, is refused. place: of the file among them. reason: continues its name."""

    def __init__(self, reason: str, *, place: int | None = None) -> None:
        field = "files" if place is None else f"files[{place}]"
        super().__init__(f"Invalid request: Field '{field}' {reason}")
        self.reason, self.place = reason, place


class UnusablePicture(NotAllowed):
    """An address names a picture of this shop that does not exist or has failed."""
