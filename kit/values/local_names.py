"""Names of provinces in the languages of their country: `沖縄` for Okinawa, `Wien`, `Уфа`.

Source: ISO 3166-2 in the translations that pycountry has from the project iso-codes. Python's list of locales says what
is spoken where.
"""

import locale
from collections import defaultdict
from collections.abc import Iterator, Sequence
from gettext import GNUTranslations, find
from pathlib import Path

import pycountry


def local_names(country_code: str, official: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The translated names of provinces with their codes, without those that two provinces share.

    country_code: in lower case. official: the names of ISO 3166-2, with the codes.
    """
    codes = defaultdict[str, set[str]](set)
    for name, code in _translated(country_code, official):
        codes[name].add(code)
    return ((name, next(iter(found))) for name, found in codes.items() if len(found) == 1)


def _translated(country_code: str, official: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for language in _languages(country_code):
        # Not by gettext.translation, which keeps all that it has read: a megabyte for each language.
        path = find("iso3166-2", pycountry.LOCALES_DIR, languages=[language])
        if path is None:
            continue
        with Path(path).open("rb") as file:
            translations = GNUTranslations(file)
        yield from ((translations.gettext(name), code) for name, code in official)


def _languages(country_code: str) -> Sequence[str]:
    """The languages of the country, such as `ja`, and as they are written there, such as `zh_TW`."""
    territory = country_code.upper()
    spoken = {name.partition("_")[0] for name in locale.locale_alias.values() if _territory(name) == territory}
    return [name for language in sorted(spoken) for name in (f"{language}_{territory}", language)]


def _territory(name: str) -> str:
    """`JP` for `ja_JP.eucJP`."""
    return name.partition("_")[2].partition(".")[0].partition("@")[0]
