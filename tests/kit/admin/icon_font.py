"""The icon font of the admin site: the theme's, cut to the icons in use. `make icons` writes it.

An icon is a word that the font draws as a picture (a ligature). The icons in use are found in the code of the admin
site and of the theme: every word there, in quotes or between tags, that the theme's font has an icon for. Stylesheets
name some as the content of pseudo-elements.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import unfold
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from kit import admin
from tests.packages import ROOT, files

THEME = Path(unfold.__file__).parent
FONT = "static/unfold/fonts/material-symbols/Material-Symbols-Outlined.woff2"
WHOLE, CUT = THEME / FONT, Path(admin.__file__).parent / FONT

_WORD = re.compile(r"""(?<=["'>}])\s*([a-z0-9_]+)\s*(?=["'<{])""")
_SUFFIXES = frozenset({".py", ".html", ".js", ".css"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_ "


def ligatures(font: TTFont) -> dict[str, str]:
    """The glyph of each icon by its name."""
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    found: dict[str, str] = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in (getattr(each, "ExtSubTable", each) for each in lookup.SubTable):
            for first, rules in getattr(table, "ligatures", {}).items():
                for rule in rules:
                    name = "".join(letters.get(glyph, "?") for glyph in (first, *rule.Component))
                    found[name] = rule.LigGlyph
    return found


def used(names: frozenset[str]) -> set[str]:
    """The icons in use among these."""
    return {word for path in _sources() for word in _WORD.findall(path.read_text())} & names


def cut() -> None:
    """Write the font."""
    font = TTFont(WHOLE, recalcTimestamp=False)
    icons = ligatures(font)
    options = Options(flavor="woff2", layout_features=["*"], layout_closure=False, hinting=False, notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(text=_LETTERS, glyphs=[icons[name] for name in sorted(used(frozenset(icons)))])
    subsetter.subset(font)
    font.flavor = "woff2"
    CUT.parent.mkdir(parents=True, exist_ok=True)
    font.save(CUT)


def is_of_admin_site(path: Path) -> bool:
    """Whether the file of ours can name an icon: pages, scripts, styles, the modules of screens, and the settings."""
    return path.suffix != ".py" or bool({"admin", "staff", "settings.py"} & {*path.relative_to(ROOT).parts})


def _sources() -> Iterator[Path]:
    yield from filter(is_of_admin_site, files(*_SUFFIXES))
    for folder in (THEME / "templates", THEME / "contrib"):
        yield from (path for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    yield from THEME.glob("*.py")
    yield THEME / "static/unfold/js/app.js"
    yield THEME / "static/unfold/css/styles.css"


if __name__ == "__main__":
    cut()
