"""A program that converts one picture: `python -I conversion.py ORIGINAL DIRECTORY WIDTH…`.

It writes `picture.webp`, and `<width>.webp` for each width, into the directory: oriented as its EXIF says,
without EXIF, GPS and comments. A picture is never enlarged. Where the file is refused, it prints the reason and ends
with status 1.

It runs by itself, since a decoder that a file breaks must harm nothing: no environment, bounded memory and CPU time.
"""

import resource
import sys
import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

FORMATS = ("JPEG", "PNG", "WEBP", "AVIF", "GIF")
MOST_PIXELS = 50_000_000
WIDEST = 2400
QUALITY = 82
MEMORY = 2 * 1024**3
CPU_SECONDS = 60


class Unusable(Exception):
    """The file is refused."""


def main(original: str, directory: str, *widths: str) -> None:
    """Convert the file. Raises Unusable."""
    picture = decoded(original)
    sizes = {"picture": WIDEST, **{width: int(width) for width in widths}}
    for name, width in sizes.items():
        shown = picture
        if picture.width > width:
            height = max(1, round(picture.height * width / picture.width))
            shown = picture.resize((width, height), Image.Resampling.LANCZOS)
        shown.save(Path(directory) / f"{name}.webp", "WEBP", quality=QUALITY, method=4)


def decoded(original: str) -> Image.Image:
    """The picture, oriented, in RGB or RGBA. The size is read from the header, before anything is decoded."""
    try:
        with Image.open(original, formats=FORMATS) as file:
            if file.width * file.height > MOST_PIXELS:
                raise Unusable(
                    f"It has {file.width} by {file.height} pixels; the most are {MOST_PIXELS // 10**6} megapixels"
                )
            if getattr(file, "is_animated", False):
                raise Unusable("It is animated: upload a picture that does not move")
            file.load()
            oriented = ImageOps.exif_transpose(file)
            has_alpha = oriented.mode in ("RGBA", "LA", "PA") or "transparency" in oriented.info
            picture = oriented.convert("RGBA" if has_alpha else "RGB")
    except UnidentifiedImageError:
        raise Unusable("It is not a picture that can be decoded") from None
    except Image.DecompressionBombError:
        raise Unusable(f"It has more than {MOST_PIXELS // 10**6} megapixels") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Unusable(f"It cannot be decoded: {str(error)[:120]}") from None
    picture.info.clear()  # the colour profile and comments too: pixels are all that is written
    return picture


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    try:
        main(*sys.argv[1:])
    except Unusable as refusal:
        print(refusal)  # noqa: T201 - its parent reads it
        sys.exit(1)
    except MemoryError:
        print("It needs too much memory")  # noqa: T201
        sys.exit(1)
