"""Static files as `collectstatic` gathers them, each with a compressed twin that WhiteNoise serves."""

from pathlib import Path
from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedStaticFilesStorage


class Storage(CompressedStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's, which compresses what has changed since: `serve` gathers the files at each start.

    Names stay as they are, so that pages also find files that nobody has gathered, as in tests.
    """

    def create_compressor(self, **options: Any) -> Compressor:
        return _Compressor(**{**options, "extensions": (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")})


class _Compressor(Compressor):  # type: ignore[misc]
    def compress(self, path: str) -> list[str]:
        original, twin = Path(path), Path(f"{path}.gz")
        if twin.exists() and twin.stat().st_mtime == original.stat().st_mtime:  # as WhiteNoise sets it
            return []
        compressed: list[str] = super().compress(path)
        return compressed
