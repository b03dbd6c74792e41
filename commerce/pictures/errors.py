"""Refusals of uploads and pictures."""

from commerce.kit.core.errors import InvalidData, NotAllowed


class FilesRefused(InvalidData):
    """An uploaded file, or their number, is refused; the message names the field."""


class UnusablePicture(NotAllowed):
    """An address names a picture of this shop that does not exist or has failed."""
