"""The storage of pictures beside the server."""

from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

from kit.commands.atomic_files import whole_file


class MediaFiles(FileSystemStorage):
    """Files appear once they are complete and replace one of the same name, as an object store's do."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(str(path)) as file:
            for chunk in content.chunks():
                file.write(chunk)
        path.chmod(0o644)  # a proxy of another user may serve it
        return name
