"""The storage of pictures in an S3-compatible bucket, which needs the libraries of the extra `s3`."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage

from pictures.names import CONTENT_TYPE, IMMUTABLE

# Checksums only where S3 requires them: many compatible services refuse the newer ones, and TLS protects the transfer.
_CLIENT = Config(
    connect_timeout=5,
    read_timeout=20,
    retries={"mode": "standard", "max_attempts": 3},
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class S3Files(S3Storage):  # type: ignore[misc]
    """Objects replace those of the same name. If the service fails, it raises OSError, as a file system does."""

    object_parameters = {"CacheControl": IMMUTABLE, "ContentType": CONTENT_TYPE}
    client_config: Any

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.client_config = self.client_config.merge(_CLIENT)
        self.transfer_config = TransferConfig(use_threads=False)  # pictures are small

    def fault(self) -> str:
        """Why the bucket cannot be used; "" if it can."""
        try:
            with self._failing(self.bucket_name):
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)
        except OSError as error:
            return str(error.strerror)
        return ""

    def exists(self, name: str) -> bool:
        with self._failing(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with self._failing(name):
            super().delete(name)

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with self._failing(path):
            folders, files = super().listdir(path)
            return folders, files

    def _open(self, name: str, mode: str = "rb") -> File:  # type: ignore[type-arg]
        """Downloaded immediately, so that nothing fails later."""
        with self._failing(name):
            file: File = super()._open(name, mode)  # type: ignore[type-arg]
            file.open()
            return file

    def _save(self, name: str, content: File) -> str:  # type: ignore[type-arg]
        with self._failing(name):
            return str(super()._save(name, content))

    @contextmanager
    def _failing(self, name: str) -> Iterator[None]:
        try:
            yield
        except (BotoCoreError, ClientError) as error:
            raise OSError(errno.EIO, f"The bucket {self.bucket_name} (S3_BUCKET) failed: {error}", name) from error
