"""The files of pictures in the storage, wherever that is."""

from django.core.files.storage import default_storage

from pictures.names import NAME


def stored_names() -> list[str]:
    """The names of all files of pictures, sorted. Raises OSError if the storage cannot be read."""
    try:
        _, names = default_storage.listdir("")
    except FileNotFoundError:  # the directory is created with the first picture
        return []
    return sorted(name for name in names if NAME.fullmatch(name))
