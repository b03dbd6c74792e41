"""Storage of static files, with compressed copies for WhiteNoise."""

from pathlib import Path

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedStaticFilesStorage


class Storage(CompressedStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, but compresses only changed files, since `serve` collects the files at each start.

    Names are not hashed, so that pages work without collected files, as in tests.
    """

    def create_compressor(self, **options: object) -> Compressor:
        # Where Brotli is installed, WhiteNoise would use it: 16 s of CPU at the first start, for files 17 % smaller.
        own = {"extensions": (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map"), "use_brotli": False}
        return _Compressor(**{**options, **own})


class _Compressor(Compressor):  # type: ignore[misc]
    def compress(self, path: str) -> list[str]:
        original, twin = Path(path), Path(f"{path}.gz")
        if twin.exists() and twin.stat().st_mtime == original.stat().st_mtime:  # WhiteNoise copies the time
            return []
        compressed: list[str] = super().compress(path)
        return compressed
