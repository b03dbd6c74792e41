"""Draws the pictures of the demo shop: `.venv/bin/python -m commerce.operations.demo.demo_pictures`.

Flat shapes in a few colours each, as PNG with a palette: image loaders of storefronts refuse SVG, and a picture takes a
few kilobytes. demo.shop.json names them.
"""

import math
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from commerce import operations

DIRECTORY = Path(operations.__file__).parent / "static" / "demo"
SIDE = 480
FINE = 3
"""Each pixel is the mean of this many squared, so that edges are smooth."""

Point = tuple[float, float]
Colour = int
"""A colour as in CSS: 0xRRGGBB."""


class Canvas:
    """A square picture. Coordinates run from 0 to 100, downwards in y."""

    def __init__(self, background: Colour) -> None:
        self._palette = [background]
        self._rows = [bytearray(SIDE * FINE) for _ in range(SIDE * FINE)]

    def polygon(self, colour: Colour, points: Sequence[Point]) -> None:
        """Fill a polygon by the even-odd rule."""
        if colour not in self._palette:
            self._palette.append(colour)
        scale, fill = SIDE * FINE / 100, self._palette.index(colour)
        corners = [(x * scale, y * scale) for x, y in points]
        edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
        for y, row in enumerate(self._rows):
            middle = y + 0.5
            crossings = sorted(
                x1 + (middle - y1) * (x2 - x1) / (y2 - y1)
                for (x1, y1), (x2, y2) in edges
                if (y1 <= middle) != (y2 <= middle)
            )
            for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                start, end = max(0, round(left)), min(len(row), round(right))
                row[start:end] = bytes([fill]) * max(0, end - start)

    def ellipse(self, colour: Colour, x: float, y: float, width: float, height: float, *, turned: float = 0) -> None:
        """Fill an ellipse around a centre. turned: in degrees, clockwise."""
        self.polygon(colour, arc(x, y, width, height, turned=turned))

    def box(self, colour: Colour, left: float, top: float, right: float, bottom: float) -> None:
        """Fill an upright rectangle."""
        self.polygon(colour, [(left, top), (right, top), (right, bottom), (left, bottom)])

    def png(self) -> bytes:
        """The picture as a file."""
        pixels = [self._pixel_row(y) for y in range(SIDE)]
        palette = [colour for colour, _ in Counter(colour for row in pixels for colour in row).most_common(256)]
        places = {colour: place for place, colour in enumerate(palette)}
        lines = b"".join(b"\0" + bytes(places.get(colour, 0) for colour in row) for row in pixels)
        header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 3, 0, 0, 0)
        colours = b"".join(colour.to_bytes(3, "big") for colour in palette)
        parts = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, parts))

    def _pixel_row(self, y: int) -> list[Colour]:
        rows = self._rows[y * FINE : (y + 1) * FINE]
        known: dict[bytes, Colour] = {}
        found = []
        for x in range(0, SIDE * FINE, FINE):
            parts = b"".join(row[x : x + FINE] for row in rows)
            if parts not in known:
                known[parts] = self._mean(parts)
            found.append(known[parts])
        return found

    def _mean(self, parts: bytes) -> Colour:
        colours = [self._palette[part] for part in parts]
        return sum(sum(colour >> shift & 255 for colour in colours) // len(colours) << shift for shift in (16, 8, 0))


def _chunk(part: tuple[bytes, bytes]) -> bytes:
    kind, data = part
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def arc(
    x: float, y: float, width: float, height: float, *, start: float = 0, end: float = 360, turned: float = 0
) -> list[Point]:
    """Points on an ellipse around a middle, from one angle to another, clockwise from the right."""
    cosine, sine = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    angles = [math.radians(start + (end - start) * step / 60) for step in range(61)]
    own = [(width / 2 * math.cos(angle), height / 2 * math.sin(angle)) for angle in angles]
    return [(x + dx * cosine - dy * sine, y + dx * sine + dy * cosine) for dx, dy in own]


def darker(colour: Colour, share: float = 0.8) -> Colour:
    """The colour with that share of its brightness."""
    return sum(int((colour >> shift & 255) * share) << shift for shift in (16, 8, 0))


# --- Things -----------------------------------------------------------------------------------------------------------

Thing = Callable[[Canvas, Colour, Colour], None]
"""Draws itself in a main and a second colour."""


def tin(canvas: Canvas, main: Colour, label: Colour) -> None:
    """A round tin with a lid, a label and a leaf on it."""
    canvas.ellipse(darker(main, 0.7), 50, 84, 46, 10)
    canvas.box(main, 27, 34, 73, 84)
    canvas.ellipse(main, 50, 84, 46, 10)
    canvas.box(darker(main), 64, 34, 73, 84)
    canvas.box(label, 27, 48, 73, 72)
    leaf(canvas, main, (50, 60), 20, -35)
    canvas.box(darker(main, 0.9), 25, 24, 75, 35)
    canvas.ellipse(darker(main, 0.9), 50, 35, 50, 9)
    canvas.ellipse(darker(main, 0.65), 50, 24, 50, 10)


def leaf(canvas: Canvas, colour: Colour, middle: Point, size: float, turned: float) -> None:
    """A leaf with its rib."""
    x, y = middle
    canvas.ellipse(colour, x, y, size, size * 0.42, turned=turned)
    canvas.ellipse(darker(colour, 0.75), x, y, size * 0.92, size * 0.04, turned=turned)


def bag(canvas: Canvas, main: Colour, label: Colour) -> None:
    """A folded bag of coffee with a bean on its label."""
    canvas.polygon(main, [(28, 26), (72, 26), (76, 86), (24, 86)])
    canvas.polygon(darker(main), [(66, 26), (72, 26), (76, 86), (68, 86)])
    canvas.box(darker(main, 0.7), 27, 18, 73, 28)
    canvas.box(label, 34, 44, 63, 72)
    bean(canvas, darker(main, 0.6), (48.5, 58), 16, -30)


def bean(canvas: Canvas, colour: Colour, middle: Point, size: float, turned: float) -> None:
    """A coffee bean with its crease."""
    x, y = middle
    canvas.ellipse(colour, x, y, size, size * 0.68, turned=turned)
    canvas.ellipse(darker(colour, 0.55), x, y, size * 0.94, size * 0.1, turned=turned + 12)


def pot(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A teapot with handle and spout."""
    canvas.polygon(darker(main, 0.6), arc(50, 46, 48, 52, start=180, end=360) + arc(50, 46, 41, 45, start=360, end=180))
    canvas.polygon(darker(main), [(68, 56), (90, 40), (93, 44), (78, 74)])
    canvas.ellipse(main, 50, 64, 56, 42)
    canvas.ellipse(darker(main, 0.85), 50, 46, 26, 7)
    canvas.ellipse(second, 50, 41, 7, 7)
    for row in range(3):
        for place in range(7 - row % 2):
            canvas.ellipse(darker(main, 0.8), 32 + place * 6 + row % 2 * 3, 58 + row * 7, 2.4, 2.4)


def grinder(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A hand grinder: a tube, a band and a crank."""
    canvas.box(darker(second, 0.8), 48.5, 12, 51.5, 30)
    canvas.polygon(second, [(49, 12), (80, 17), (80, 20), (49, 15)])
    canvas.ellipse(darker(second, 0.6), 80, 14, 9, 12)
    canvas.box(main, 37, 28, 63, 86)
    canvas.box(darker(main), 56, 28, 63, 86)
    canvas.box(darker(second, 0.6), 36, 58, 64, 63)
    canvas.ellipse(darker(main, 0.7), 50, 28, 26, 7)
    canvas.ellipse(main, 50, 86, 26, 6)


def cup(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A cup with a waterline."""
    canvas.polygon(main, arc(72, 52, 26, 26) + arc(72, 52, 15, 15, start=360, end=0))
    canvas.polygon(main, [(24, 32), (74, 32), *arc(49, 60, 50, 48, start=0, end=180)])
    canvas.polygon(second, [(24, 60), (74, 60), *arc(49, 60, 50, 48, start=0, end=180)])
    canvas.ellipse(darker(main, 0.85), 49, 32, 50, 13)
    canvas.ellipse(0x6B4226, 49, 33, 43, 9)


def chest(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A box with six compartments."""
    canvas.polygon(darker(main, 0.75), [(20, 32), (26, 22), (74, 22), (80, 32)])
    canvas.box(main, 18, 32, 82, 84)
    for place in range(6):
        x, y = 22 + place % 3 * 19.5, 37 + place // 3 * 22.5
        canvas.box(darker(main, 0.8), x, y, x + 17, y + 20)
        canvas.ellipse((0x7B3F00, 0x6A994E, 0xBC6C25, 0xA7C957, 0x9D4E3C, second)[place], x + 8.5, y + 10, 12, 12)


def card(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A card with a ribbon."""
    canvas.polygon(darker(main, 0.6), [(16, 40), (82, 30), (88, 70), (22, 80)])
    canvas.polygon(main, [(12, 34), (80, 28), (84, 68), (16, 74)])
    canvas.polygon(second, [(30, 32.4), (37, 31.8), (41, 71.8), (34, 72.4)])
    canvas.ellipse(second, 27, 44, 14, 8, turned=30)
    canvas.ellipse(second, 41, 42, 14, 8, turned=-40)
    canvas.ellipse(darker(second), 34, 45, 5, 5)


def book(canvas: Canvas, main: Colour, second: Colour) -> None:
    """A closed book with a spine, a title and a ribbon."""
    canvas.box(second, 30, 80, 76, 87)
    canvas.box(main, 26, 16, 74, 82)
    canvas.box(darker(main, 0.7), 26, 16, 33, 87)
    canvas.box(second, 41, 30, 66, 36)
    canvas.box(second, 45, 41, 62, 44)
    canvas.polygon(darker(second, 0.7), [(60, 82), (66, 82), (66, 95), (63, 91), (60, 95)])


def scattered(one: Callable[[Canvas, Colour, Point, float, float], None]) -> Thing:
    """Many of one thing, over the whole picture."""

    def draw(canvas: Canvas, main: Colour, second: Colour) -> None:
        for place in range(12):
            x, y = 14 + place % 3 * 34 + place // 3 % 2 * 8, 14 + place // 3 * 24
            one(canvas, darker(main, 0.75 + place * 7 % 5 * 0.06), (x, y), 28, place * 67 % 180)

    return draw


def rings(canvas: Canvas, main: Colour, second: Colour) -> None:
    """The thing from above: concentric circles."""
    for width, colour in ((78, darker(main, 0.7)), (72, main), (56, darker(main, 0.85)), (48, second), (14, main)):
        canvas.ellipse(colour, 50, 50, width, width)


LEAVES, BEANS = scattered(leaf), scattered(bean)
SAND, CREAM, MIST = 0xF3EADB, 0xFBF5EA, 0xE3ECEF
PICTURES: dict[str, tuple[Sequence[Thing], Colour, Colour, Colour]] = {
    "assam-mangalam": ((tin, LEAVES), SAND, 0x8C2F1B, 0xF2D492),
    "darjeeling-first-flush": ((tin, LEAVES), MIST, 0x6A8D3A, 0xFFF3C4),
    "lapsang-souchong": ((tin, LEAVES), SAND, 0x3A3A3A, 0xD9AE94),
    "sencha-asamushi": ((tin, LEAVES), CREAM, 0x2F6B3A, 0xDDE8B9),
    "matcha-uji": ((tin, rings), SAND, 0x7BA428, 0xC9E265),
    "milk-oolong": ((tin, LEAVES), MIST, 0x4E8098, 0xFCE4C8),
    "allotment-mint": ((tin, LEAVES), CREAM, 0x2A9D7C, 0xE9F5DB),
    "cape-rooibos": ((tin, LEAVES), SAND, 0xB5451B, 0xFFD9A0),
    "ferry-blend": ((bag, BEANS), MIST, 0x1F4E79, 0xF6E7CB),
    "yirgacheffe-aricha": ((bag, BEANS), SAND, 0xC05C2E, 0xFFF1D6),
    "finca-el-puente": ((bag, BEANS), CREAM, 0x7A2E3B, 0xF7D6C4),
    "night-watch-decaf": ((bag, BEANS), MIST, 0x2B2D42, 0xC9D6EA),
    "iron-teapot": ((pot, rings), SAND, 0x33383D, 0xB08D57),
    "pocket-grinder": ((grinder, BEANS), MIST, 0x8A8F94, 0x5B4636),
    "tide-cup": ((cup, rings), SAND, 0xD8C3A5, 0x4F7C8A),
    "six-teas-box": ((chest, LEAVES), MIST, 0x8D6E4A, 0xD9AE94),
    "gift-voucher": ((card,), CREAM, 0x1F6F6B, 0xE9B44C),
    "the-slow-kettle": ((book,), SAND, 0x2F4858, 0xF2D492),
    "brewing-by-the-clock": ((book,), MIST, 0x9D4E3C, 0xFBF5EA),
    "winter-chai": ((tin,), MIST, 0x7A1F2B, 0xF4E3C1),
}
"""By the products' handles: the things on their pictures, the background, and the main and second colour."""


def pictures() -> Iterable[tuple[str, Canvas]]:
    """Every picture with the name of its file."""
    for handle, (things, background, main, second) in PICTURES.items():
        for number, thing in enumerate(things, start=1):
            canvas = Canvas(background)
            thing(canvas, main, second)
            yield f"{handle}-{number}.png", canvas


if __name__ == "__main__":
    for name, canvas in pictures():
        (DIRECTORY / name).write_bytes(canvas.png())
